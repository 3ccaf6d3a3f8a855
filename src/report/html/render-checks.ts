import type { SqlRow } from "../../engines/sql-text.ts";
import { toReportValue } from "../columns/query-columns.ts";
import { formatQuantity } from "../text/readable-text.ts";
import { type Html, html } from "./html.ts";

/** Result of a custom check on the published version. */
export interface CustomCheck {
  /** E.g. `own/checks/quiet_zones.sql`. */
  file: string;
  /** The sentence that should hold. */
  description: string;
  failingRows: number;
  /** The first failing rows. */
  sample: readonly SqlRow[];
  /** Reason why it did not run. */
  problem?: string;
}

/** Renders custom checks with their first failing rows; nothing without checks. */
export function renderChecks(checks: readonly CustomCheck[]): Html | undefined {
  if (checks.length === 0) return undefined;
  return html`<section aria-labelledby="checks"><h2 id="checks">Your checks</h2>
<ul class="assessments">
${checks.map(renderCheck)}</ul></section>
`;
}

function renderCheck({ file, description, failingRows, sample, problem }: CustomCheck): Html {
  const isPassed = failingRows === 0 && problem === undefined;
  const [mark, status] = isPassed ? ["✓", "good"] : ["!", "needs attention"];
  const result =
    problem ?? (isPassed ? "No failing rows." : `${formatQuantity(failingRows, "failing row")}.`);
  return html`<li class="${status.replaceAll(" ", "-")}"><p class="status"><span aria-hidden="true">${mark}</span> ${problem === undefined ? status : "did not run"}</p>
<div><h3>${description || file}</h3><p>${result}</p>${sample.length > 0 ? renderRows(file, sample) : undefined}<p class="scope">${file}</p></div></li>
`;
}

function renderRows(file: string, rows: readonly SqlRow[]): Html {
  const names = Object.keys(rows[0] ?? {});
  return html`<div class="scroll" role="region" tabindex="0" aria-label="First failing rows of ${file}"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${names.map((name) => html`<td><bdi>${String(toReportValue(row[name] ?? null, "text") ?? "")}</bdi></td>`)}</tr>\n`)}</tbody></table></div>`;
}
