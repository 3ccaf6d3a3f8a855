import { trinoLiteral } from "../../engines/trino/trino-engine.ts";
import { type Address, addressText, reportWords } from "../../report/address/address.ts";
import { explainCell } from "../../report/findings/explain-cell.ts";
import { type AskedCell, resolveCell } from "../../report/findings/parse-cell.ts";
import { gatherPieces } from "../../report/format/gather-rows.ts";
import { type FormatName, loadFormatter } from "../../report/formats.ts";
import { type Html, html } from "../../report/html/html.ts";
import type { AskedReport } from "../../report/options/report-options.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import type { Report } from "../../report/report.ts";
import { runReport } from "../../report/run-report.ts";
import { shellText } from "../../util/text/escaping.ts";
import type { Download, Shown } from "../requests/readers.ts";

const types: Readonly<Record<keyof typeof takeAwayFormats, string>> = {
  csv: "text/csv; charset=UTF-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json",
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.stream",
  md: "text/markdown; charset=UTF-8",
  html: "text/html; charset=UTF-8",
  sql: "text/plain; charset=UTF-8",
};

type Ending = keyof typeof types;

export function isEnding(ending: string): ending is Ending {
  return Object.hasOwn(types, ending);
}

/** All rows of a view as a file, or the SQL that gives them. */
export async function takeAway(
  options: AskedReport,
  ending: Ending,
  { taken: { mart }, now }: Shown,
): Promise<Download> {
  const { from, to } = options;
  // Nobody tells five files named plays.csv apart; names and texts that were asked for may hold anything.
  const parts = [options.report, ...options.by, ...(from && to ? [from, to] : [])];
  if (ending !== "sql")
    return await fileOf(parts, ending, await runReport(mart, { ...options, format: ending }, now));
  return { type: types.sql, fileName: `${parts.join("-")}.sql`, pieces: sqlOf(mart, options, now) };
}

/** What explains a cell, as a file. */
export async function takeCell(
  asked: AskedCell,
  ending: FormatName & Ending,
  { taken: { mart } }: Shown,
): Promise<Download> {
  const cell = await resolveCell(mart, asked);
  const { campaignId, zoneId, date } = cell;
  return await fileOf(["cell", campaignId, zoneId, date], ending, await explainCell(mart, cell));
}

async function fileOf(
  parts: readonly (string | number)[],
  ending: FormatName & Ending,
  report: Report,
): Promise<Download> {
  const formatReport = await loadFormatter(ending);
  return {
    type: types[ending],
    fileName: `${parts.join("-")}.${ending}`,
    pieces: gatherPieces(formatReport(report)),
  };
}

async function* sqlOf(mart: PublishedMart, options: AskedReport, now: Date): AsyncIterable<string> {
  const recorded = recordSql(mart);
  const { rows } = await runReport(recorded.mart, options, now);
  // What has several statements asks one after the other, as its rows are read.
  if (recorded.statements.length === 0) for await (const _row of rows);
  yield `-- ${mart.version}. venue query takes one statement.\n${recorded.statements.join(";\n\n")}\n`;
}

/** Endings that a view's rows can be had with, and what they are. */
const takeAwayFormats = {
  csv: "CSV",
  xlsx: "Excel",
  json: "JSON",
  parquet: "Parquet",
  arrow: "Arrow",
  md: "Markdown",
  html: "this page as a file",
  sql: "SQL",
} as const;

/**
 * What to take away from a view: its rows in other forms, and the command that gives them.
 * @param report as `venue report` takes it. @default the view
 */
export function renderTakeAway(address: Address, report = address.view): Html {
  // What explains a cell is many statements.
  const formats = Object.entries(takeAwayFormats).filter(
    ([ending]) => ending !== "sql" || report === address.view,
  );
  const links = formats.map(([ending, text]) => {
    const href = `/${addressText({ ...address, view: `${address.view}.${ending}` })}`;
    return html`<a href="${href}" download>${text}</a>\n`;
  });
  return html`<section class="take" aria-labelledby="take"><h2 id="take">Download</h2>
<p class="unprinted">${links}</p>
<p>By command: <code>${commandOf({ ...address, view: report })}</code></p>
</section>
`;
}

/** What gives the same rows on a command line. */
function commandOf({ view, words }: Address): string {
  const flags = [...reportWords, "date", "as-of"].flatMap((word) => {
    const value = words[word];
    if (value === undefined) return [];
    // After a blank, a value with a dash in front would be taken for a flag.
    return [`--${word}${value.startsWith("-") ? "=" : " "}${shellText(value)}`];
  });
  return ["venue report", view, ...flags].join(" ");
}

/** The same version, and what was asked of it for rows, as text that `venue query` takes. */
function recordSql(mart: PublishedMart): { mart: PublishedMart; statements: string[] } {
  const statements: string[] = [];
  const stream: PublishedMart["stream"] = (sql, parameters = []) => {
    const values = [...parameters];
    statements.push(withValues(sql, () => trinoLiteral(values.shift() ?? null)));
    return mart.stream(sql, parameters);
  };
  return { mart: { ...mart, stream }, statements };
}

/** Each `?` that is a parameter becomes its value; those in texts, names and comments stay. */
function withValues(sql: string, next: () => string): string {
  return sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*$|\?/gm, (part) => (part === "?" ? next() : part));
}
