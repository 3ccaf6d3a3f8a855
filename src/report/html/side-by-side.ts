import { formatReadable, isFigure, isId } from "../columns/readable-order.ts";
import { getFigure } from "../figures.ts";
import type { Report, ReportColumn, ReportRow } from "../result-types.ts";
import { type Html, html } from "./html.ts";
import type { CellLink } from "./render-rows.ts";

/** Number of groups that fit next to each other. */
const [fewest, most] = [2, 4];

/**
 * Renders the largest rows of two to four groups next to each other, by rank; `undefined` for other numbers of groups,
 * or if the user requested other columns or another row order.
 * @param rows all rows of the report
 */
export function renderSideBySide(
  { name, columns, per, isSorted }: Report,
  rows: readonly ReportRow[],
  hrefOf: CellLink = () => undefined,
): Html | undefined {
  const figure = columns.find(isFigure);
  const ofGroup = columns.filter((column) => per?.includes(column.name));
  if (!figure || isSorted || per === undefined || ofGroup.length < per.length) return undefined;
  const labels = columns.slice(0, columns.indexOf(figure)).filter((column) => !ofGroup.includes(column));
  const textOf = (some: readonly ReportColumn[], row: ReportRow) =>
    readable(some)
      .map((column) => formatReadable(row[columns.indexOf(column)] ?? null, column, row))
      .filter((text) => text !== "")
      .join(", ") || "(none)";
  const groups = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const key = JSON.stringify(ofGroup.map((column) => String(row[columns.indexOf(column)])));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  if (groups.size < fewest || groups.size > most) return undefined;
  const lists = [...groups.values()];
  const named = readable(labels)[0];
  const { label } = getFigure(figure.name, name);
  const cells = (row: ReportRow | undefined): Html => {
    if (row === undefined) return html`<td></td><td></td>`;
    const href = named && hrefOf(named, row);
    const text = textOf(labels, row);
    return html`<td><bdi>${href === undefined ? text : html`<a href="${href}">${text}</a>`}</bdi></td><td class="number">${formatReadable(row[columns.indexOf(figure)] ?? null, figure, row)}</td>`;
  };
  const ranks = Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, rank) => rank);
  return html`<section aria-labelledby="side-by-side"><h2 id="side-by-side">Side by side</h2>
<div class="scroll" role="region" tabindex="0" aria-labelledby="side-by-side"><table>
<thead><tr><th scope="col">Rank</th>${lists.map(
    ([first = []]) =>
      html`<th scope="col">${textOf(ofGroup, first)}</th><th scope="col" class="number">${label}</th>`,
  )}</tr></thead>
<tbody>
${ranks.map((rank) => html`<tr><td class="number">${rank + 1}</td>${lists.map((list) => cells(list[rank]))}</tr>\n`)}</tbody></table></div></section>
`;
}

/** Omits ids next to names. */
function readable(columns: readonly ReportColumn[]): ReportColumn[] {
  const named = columns.filter((column) => !isId(column));
  return named.length > 0 ? named : [...columns];
}
