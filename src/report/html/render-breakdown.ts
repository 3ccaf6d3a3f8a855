import { type Html, html } from "./html.ts";
import type { Breakdown } from "./report-page.ts";

/** A small table that tells what a page's rows are. */
export function renderBreakdown({ title, text, headings, rows }: Breakdown): Html {
  const [name, value, meaning] = headings;
  return html`<section aria-labelledby="sorts"><h2 id="sorts">${title}</h2>
<p class="scope">${text}</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="sorts"><table>
<thead><tr><th scope="col">${name}</th><th scope="col" class="number">${value}</th><th scope="col">${meaning}</th></tr></thead>
<tbody>
${rows.map(
  (row) =>
    html`<tr><td>${row.href === undefined ? row.name : html`<a href="${row.href}">${row.name}</a>`}</td><td class="number">${row.value}</td><td>${row.text}</td></tr>\n`,
)}</tbody></table></div></section>
`;
}
