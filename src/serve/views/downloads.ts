import type { SqlParameter } from "../../engines/engine.ts";
import { toTrinoLiteral } from "../../engines/trino/trino-engine.ts";
import { type Address, formatAddress } from "../../report/address/address.ts";
import { explainCampaignDay } from "../../report/findings/explain-campaign-day.ts";
import { type CellRequest, resolveCampaignDay } from "../../report/findings/parse-campaign-day.ts";
import { gatherPieces } from "../../report/format/gather-rows.ts";
import { loadFormatter } from "../../report/format/load-formatter.ts";
import type { FormatName } from "../../report/formats.ts";
import { type Html, html } from "../../report/html/html.ts";
import { reportWords } from "../../report/options/option-list.ts";
import type { ReportRequest } from "../../report/options/request-options.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { viewOf } from "../../report/report-name.ts";
import type { Report } from "../../report/result-types.ts";
import { runReport } from "../../report/run-report.ts";
import { quoteForShell } from "../../util/text/escaping.ts";
import type { Download, ViewContext } from "../readers.ts";

const contentTypes: Readonly<Record<keyof typeof downloadFormats, string>> = {
  csv: "text/csv; charset=UTF-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json",
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.stream",
  md: "text/markdown; charset=UTF-8",
  html: "text/html; charset=UTF-8",
  sql: "text/plain; charset=UTF-8",
};

type DownloadExtension = keyof typeof contentTypes;

export function isDownloadExtension(extension: string): extension is DownloadExtension {
  return Object.hasOwn(contentTypes, extension);
}

/** Returns all rows of a report as a file, or the SQL that selects them. */
export async function createDownload(
  options: ReportRequest,
  extension: DownloadExtension,
  { lease: { mart }, now }: ViewContext,
): Promise<Download> {
  const { from, to } = options;
  // Distinguishes downloads by grouping and dates; filters may contain any characters, so they are left out.
  const parts = [viewOf(options), ...options.by, ...(from && to ? [from, to] : [])];
  if (extension !== "sql")
    return await createFile(parts, extension, await runReport(mart, { ...options, format: extension }, now));
  return {
    type: contentTypes.sql,
    fileName: `${parts.join("-")}.sql`,
    pieces: streamSql(mart, options, now),
  };
}

export async function createCellDownload(
  request: CellRequest,
  extension: FormatName & DownloadExtension,
  { lease: { mart } }: ViewContext,
): Promise<Download> {
  const cell = await resolveCampaignDay(mart, request);
  const { campaignId, zoneId, date } = cell;
  return await createFile(
    ["cell", campaignId, zoneId, date],
    extension,
    await explainCampaignDay(mart, cell),
  );
}

async function createFile(
  parts: readonly (string | number)[],
  extension: FormatName & DownloadExtension,
  report: Report,
): Promise<Download> {
  const formatReport = await loadFormatter(extension);
  return {
    type: contentTypes[extension],
    fileName: `${parts.join("-")}.${extension}`,
    pieces: gatherPieces(formatReport(report)),
  };
}

async function* streamSql(mart: PublishedMart, options: ReportRequest, now: Date): AsyncIterable<string> {
  const recorded = recordSql(mart);
  const { rows } = await runReport(recorded.mart, options, now);
  // A report with several statements runs them one by one as its rows are read, so all rows are read first.
  if (recorded.statements.length === 0) for await (const _row of rows);
  // To order or compare its rows, a custom report first queries its columns.
  const statements = options.custom ? recorded.statements.slice(-1) : recorded.statements;
  yield `-- ${mart.version}. venue query takes one statement.\n${statements.join(";\n\n")}\n`;
}

/** Extensions of the downloads, with their labels. */
const downloadFormats = {
  csv: "CSV",
  xlsx: "Excel",
  json: "JSON",
  parquet: "Parquet",
  arrow: "Arrow",
  md: "Markdown",
  html: "HTML",
  sql: "SQL",
} as const;

interface DownloadOptions {
  /** Report name in the command. @default the view */
  report?: string;
  /** True for a customer, who cannot run commands and queries. */
  isShared: boolean;
}

/** Renders links to downloads, and the equivalent command. */
export function renderDownloads(
  address: Address,
  { report = address.view, isShared }: DownloadOptions,
): Html {
  // The explanation of a campaign day has too many statements to offer them as SQL.
  const formats = Object.entries(downloadFormats).filter(
    ([extension]) => extension !== "sql" || (report === address.view && !isShared),
  );
  const links = formats.map(([extension, text]) => {
    const href = `/${formatAddress({ ...address, view: `${address.view}.${extension}` })}`;
    return html`<a href="${href}" download>${text}</a>\n`;
  });
  return html`<section class="download" aria-labelledby="download"><h2 id="download">Download</h2>
<p class="unprinted">${links}</p>
${isShared ? undefined : html`<p>Command line: <code>${formatCommand({ ...address, view: report })}</code></p>`}
</section>
`;
}

/** Returns the command that prints the same rows. */
function formatCommand({ view, words }: Address): string {
  const flags = [...reportWords, "date", "as-of"].flatMap((word) => {
    const value = words[word];
    if (value === undefined) return [];
    // A value that starts with a dash needs `=`, because after a space it would be read as a flag.
    return [`--${word}${value.startsWith("-") ? "=" : " "}${quoteForShell(value)}`];
  });
  return ["venue report", view, ...flags].join(" ");
}

/** Wraps a version to record its statements as text for `venue query`. */
function recordSql(mart: PublishedMart): { mart: PublishedMart; statements: string[] } {
  const statements: string[] = [];
  const stream: PublishedMart["stream"] = (sql, parameters = []) => {
    const values = [...parameters];
    statements.push(inlineValues(sql, () => formatLiteral(values.shift() ?? null)));
    return mart.stream(sql, parameters);
  };
  return { mart: { ...mart, stream }, statements };
}

/** Writes the separators in lists of attribute values as calls, because copying could drop them. */
function formatLiteral(value: SqlParameter): string {
  return toTrinoLiteral(value).replaceAll("\u001f", "' || chr(31) || '");
}

/** Replaces each `?` parameter with its value, but not in texts, names and comments. */
function inlineValues(sql: string, next: () => string): string {
  return sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*$|\?/gm, (part) => (part === "?" ? next() : part));
}
