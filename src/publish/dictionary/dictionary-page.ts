import { createHash } from "node:crypto";
import { type ColumnDefinition, joinDefinition } from "../../mart/column-definition.ts";
import { escapeHtml } from "../../util/text/escaping.ts";
import type { CustomReader, DataDictionary, DictionaryColumn, DictionaryTable } from "./data-dictionary.ts";

const style = `
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 0.25rem; border-top: 1px solid var(--line); padding-top: 1rem; }
nav ul { columns: 12rem; padding-left: 1.2rem; }
dl { margin: 0.5rem 0; }
dt { margin-top: 0.6rem; }
dt code { font-weight: 600; }
dt small { margin-left: 0.5rem; opacity: 0.75; }
dt .key { border: 1px solid var(--line); border-radius: 0.25rem; padding: 0 0.3rem; }
dd { margin-left: 1.2rem; }
dd small { opacity: 0.75; }
details ul { padding-left: 1.2rem; margin: 0.2rem 0; border-left: 1px solid var(--line); }
details small { opacity: 0.75; }
summary { cursor: pointer; width: fit-content; }
@media print { nav { display: none; } h2, dt { break-after: avoid; } }
`;

/** Renders `dictionary.html`: a page without external resources or scripts. */
export function renderDictionaryPage(dictionary: DataDictionary): string {
  const { version, tables, own } = dictionary;
  const styleHash = createHash("sha256").update(style).digest("base64");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Data dictionary, ${escapeHtml(version)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Data dictionary</h1>
<p>Descriptions of all tables and columns of version ${escapeHtml(version)}. Key columns are marked. Below each table are its sources, down to the loaded data (<code>core</code>), and its readers.</p>
</header>
<nav aria-label="Tables"><ul>
${tables.map(({ name }) => `<li><a href="#${escapeHtml(name)}"><code>${escapeHtml(name)}</code></a></li>`).join("\n")}
${own.length === 0 ? "" : '<li><a href="#own">Your reports and checks</a></li>'}
</ul></nav>
<main>
${tables.map((table) => renderTable(table, dictionary)).join("\n")}
${renderCustom(own)}
</main>
</body>
</html>
`;
}

function renderTable(table: DictionaryTable, dictionary: DataDictionary): string {
  const { name, description, grain, columns } = table;
  return `<section aria-labelledby="${escapeHtml(name)}">
<h2 id="${escapeHtml(name)}"><code>${escapeHtml(name)}</code></h2>
<p>${escapeHtml(description)}</p>
<dl>
${columns.map((column) => renderColumn(column, grain.includes(column.name))).join("\n")}
</dl>
${renderLineage(table, dictionary)}
</section>`;
}

function renderCustom(own: readonly CustomReader[]): string {
  if (own.length === 0) return "";
  return `<section aria-labelledby="own">
<h2 id="own">Your reports and checks</h2>
${own
  .map(
    ({
      kind,
      title,
      file,
      description,
      columns,
      reads,
    }) => `<h3>${escapeHtml(title)} <small>${kind}</small></h3>
<p>${escapeHtml(description)} <small><code>${escapeHtml(file)}</code></small></p>
${columns.length === 0 ? "" : `<dl>\n${columns.map(renderCustomColumn).join("\n")}\n</dl>`}
<p class="readers">${reads.length === 0 ? "Reads no table." : `Reads ${reads.map(renderTableLink).join(", ")}.`}</p>`,
  )
  .join("\n")}
</section>`;
}

function renderCustomColumn({ name, label, unit, ...column }: ColumnDefinition): string {
  return `<dt>${escapeHtml(label)} <code>${escapeHtml(name)}</code> <small>${escapeHtml(unit)}</small></dt>
<dd>${escapeHtml(joinDefinition(column))}</dd>`;
}

function renderColumn(
  { name, type, label, unit, description, like }: DictionaryColumn,
  isKey: boolean,
): string {
  const key = isKey ? ' <small class="key">key</small>' : "";
  const [table = "", column = ""] = like?.split(".") ?? [];
  const alike = like
    ? ` <small>Like <a href="#${escapeHtml(table)}"><code>${escapeHtml(`${table}.${column}`)}</code></a>.</small>`
    : "";
  return `<dt>${escapeHtml(label)} <code>${escapeHtml(name)}</code> <small>${escapeHtml(unit)}, ${escapeHtml(type)}</small>${key}</dt>
<dd>${escapeHtml(description)}${alike}</dd>`;
}

/**
 * Renders a table's sources down to `core` as nested lists, and its readers. Tables of the mart link to their
 * sections; an intermediate table is expanded only where it first appears.
 */
function renderLineage(table: DictionaryTable, { steps }: DataDictionary): string {
  const opened = new Set<string>();
  const item = (name: string): string => {
    const step = steps.find((other) => other.name === name);
    if (!step) return `<li>${renderTableLink(name)}</li>`;
    const code = `<code>${escapeHtml(name)}</code>`;
    if (opened.has(name)) return `<li>${code} (see above)</li>`;
    opened.add(name);
    return `<li>${code} <small>${escapeHtml(getFirstSentence(step.description))}</small>${list(step.reads)}</li>`;
  };
  const list = (names: readonly string[]): string =>
    names.length === 0 ? "" : `<ul>${names.map(item).join("")}</ul>`;
  const origins =
    table.reads.length === 0
      ? "<p>Not derived from other tables.</p>"
      : `<details><summary>Derived from ${table.reads.length === 1 ? "1 table" : `${table.reads.length} tables`}</summary>${list(table.reads)}</details>`;
  return `${origins}
<p class="readers">${readers(table)}</p>`;
}

function readers({ read_by: tables, reports }: DictionaryTable): string {
  const parts = [
    ...(tables.length > 0 ? [`the tables ${tables.map(renderTableLink).join(", ")}`] : []),
    ...(reports.length > 0
      ? [`the reports ${reports.map((report) => `<code>${escapeHtml(report)}</code>`).join(", ")}`]
      : []),
  ];
  return parts.length === 0 ? "Not read by any report." : `Read by ${parts.join(" and ")}.`;
}

function getFirstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/** Links a table of the mart to its section; other tables have no section. */
function renderTableLink(name: string): string {
  const table = escapeHtml(name.replace(/^mart\./, ""));
  return table.includes(".") ? `<code>${table}</code>` : `<a href="#${table}"><code>${table}</code></a>`;
}
