import { escapeHtml } from "../../util/text/escaping.ts";
import type { DataDictionary, DictionaryTable } from "./data-dictionary.ts";

/**
 * What a table is made from, down to `core`, as nested lists, and what reads it. Tables of the mart are links to their own
 * sections; a step is opened where it is named first.
 */
export function renderLineage(table: DictionaryTable, { steps }: DataDictionary): string {
  const opened = new Set<string>();
  const item = (name: string): string => {
    const step = steps.find((other) => other.name === name);
    if (!step) return `<li>${tableLink(name)}</li>`;
    const code = `<code>${escapeHtml(name)}</code>`;
    if (opened.has(name)) return `<li>${code}, as above</li>`;
    opened.add(name);
    return `<li>${code} <small>${escapeHtml(firstSentence(step.description))}</small>${list(step.reads)}</li>`;
  };
  const list = (names: readonly string[]): string =>
    names.length === 0 ? "" : `<ul>${names.map(item).join("")}</ul>`;
  const origins =
    table.reads.length === 0
      ? "<p>Made from no other table.</p>"
      : `<details><summary>Made from ${table.reads.length === 1 ? "1 table" : `${table.reads.length} tables`}</summary>${list(table.reads)}</details>`;
  return `${origins}
<p class="readers">${readers(table)}</p>`;
}

function readers({ read_by: tables, reports }: DictionaryTable): string {
  const parts = [
    ...(tables.length > 0 ? [`the tables ${tables.map(tableLink).join(", ")}`] : []),
    ...(reports.length > 0
      ? [`the reports ${reports.map((report) => `<code>${escapeHtml(report)}</code>`).join(", ")}`]
      : []),
  ];
  return parts.length === 0 ? "No report reads it." : `Read by ${parts.join(" and ")}.`;
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/** Of `mart.` its section of the page; what lies below the mart has none. */
function tableLink(name: string): string {
  const table = escapeHtml(name.replace(/^mart\./, ""));
  return table.includes(".") ? `<code>${table}</code>` : `<a href="#${table}"><code>${table}</code></a>`;
}
