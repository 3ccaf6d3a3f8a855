import { toRecord } from "../columns/report-columns.ts";
import { disambiguateNames, type EqualNames } from "../findings/names.ts";
import { parseReportOptions, type ReportWords } from "../options/parse-report-options.ts";
import type { ReportRequest } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportRow, ReportValue } from "../report.ts";
import { runReport } from "../run-report.ts";

export type SubjectSelection = Pick<ReportWords, "from" | "to" | "group">;

/** Data for campaign and zone pages; each map holds the rows of one campaign or zone by its id or key. */
export interface SubjectTables {
  campaigns: Table;
  zones: Table;
  uptime: Table;
  plays: Table;
  uptimeOfZone: ReadonlyMap<string, Table>;
  zonesOfCampaign: ReadonlyMap<string, Table>;
  campaignsOfZone: ReadonlyMap<string, Table>;
  playsOfZone: ReadonlyMap<string, Table>;
  outagesOfZone: ReadonlyMap<string, Table>;
  devicesOfZone: ReadonlyMap<string, Table>;
}

const ofCampaign = ["kind", "campaign_key", "campaign_id", "campaign_name"];
const ofZone = ["zone_id", "zone_name"];

/** Runs each report once for all subjects, because a run for each of hundreds would take minutes. */
export async function readSubjectTables(
  mart: PublishedMart,
  { group, ...period }: SubjectSelection,
  { names, now }: { names: EqualNames; now: Date },
): Promise<SubjectTables> {
  const chosen = group ? { group } : {};
  const read = async (report: string, by: string[] = [], options = {}) =>
    await readTable(
      mart,
      { report, by, format: "html", ...chosen, ...(report === "devices" ? {} : period) },
      now,
      options,
    );
  const forSentences = { forSentences: true };
  const cells = await read("compliance", ["campaign", "zone"]);
  const ofZones = (table: Table) => splitBy(table, "zone_id", { constant: ofZone, names });
  const plays = await read("plays", ["kind", "zone"]);
  return {
    plays,
    campaigns: await read("compliance", ["campaign"], forSentences),
    zones: await read("compliance", ["zone"], forSentences),
    uptime: await read("uptime", ["zone"]),
    uptimeOfZone: ofZones(await read("uptime", ["zone", "date"])),
    zonesOfCampaign: splitBy(cells, "campaign_key", { constant: ofCampaign, names }),
    campaignsOfZone: ofZones(cells),
    playsOfZone: ofZones(plays),
    outagesOfZone: ofZones(await read("outages")),
    devicesOfZone: ofZones(await read("devices")),
  };
}

export interface Table {
  request: ReportRequest;
  report: Omit<Report, "rows">;
  rows: readonly ReportRow[];
}

async function readTable(
  mart: PublishedMart,
  words: ReportWords,
  now: Date,
  options: Pick<ReportRequest, "forSentences"> = {},
): Promise<Table> {
  const request = { ...parseReportOptions(words), ...options };
  const { rows, ...report } = await runReport(mart, request, now);
  const read: ReportRow[] = [];
  for await (const row of rows) read.push(row);
  return { request, report, rows: read };
}

export function toRecords({ report, rows }: Table): Record<string, ReportValue>[] {
  return rows.map((row) => toRecord(report.columns, row));
}

/** Splits rows by the values of one column, and drops the columns that are constant within a part. */
function splitBy(
  { request, report, rows }: Table,
  column: string,
  { constant, names }: { constant: readonly string[]; names: EqualNames },
): ReadonlyMap<string, Table> {
  const key = report.columns.findIndex(({ name }) => name === column);
  const kept = report.columns.flatMap(({ name }, position) => (constant.includes(name) ? [] : [position]));
  const pick = <T>(values: readonly T[]): T[] => kept.map((position) => values[position] as T);
  const parts = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const value = String(row[key]);
    const part = parts.get(value) ?? [];
    part.push(pick(row));
    parts.set(value, part);
  }
  const columns = disambiguateNames(pick(report.columns), names);
  return new Map(
    Array.from(parts, ([value, part]) => [value, { request, report: { ...report, columns }, rows: part }]),
  );
}
