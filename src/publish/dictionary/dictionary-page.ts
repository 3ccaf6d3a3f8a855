import { createHash } from "node:crypto";
import type { DataDictionary } from "./data-dictionary.ts";

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
@media print { nav { display: none; } h2, dt { break-after: avoid; } }
`;

/** `dictionary.html`: one page that loads nothing and runs nothing. */
export function renderDictionaryPage({ version, tables }: DataDictionary): string {
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
<p>What each table and column of version ${escapeHtml(version)} means. A column that is part of a table's key is marked.</p>
</header>
<nav aria-label="Tables"><ul>
${tables.map(({ name }) => `<li><a href="#${escapeHtml(name)}"><code>${escapeHtml(name)}</code></a></li>`).join("\n")}
</ul></nav>
<main>
${tables.map(renderTable).join("\n")}
</main>
</body>
</html>
`;
}

function renderTable({ name, description, grain, columns }: DataDictionary["tables"][number]): string {
  const entries = columns.map((column) => {
    const key = grain.includes(column.name) ? ' <small class="key">key</small>' : "";
    return `<dt><code>${escapeHtml(column.name)}</code> <small>${escapeHtml(column.type)}</small>${key}</dt>
<dd>${escapeHtml(column.description)}</dd>`;
  });
  return `<section aria-labelledby="${escapeHtml(name)}">
<h2 id="${escapeHtml(name)}"><code>${escapeHtml(name)}</code></h2>
<p>${escapeHtml(description)}</p>
<dl>
${entries.join("\n")}
</dl>
</section>`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
