import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb, SqlParameter } from "../../engines/duckdb.ts";
import { bindByName } from "../../engines/named-parameters.ts";
import { readSql } from "../../engines/sql-file.ts";
import type { Kind } from "../../util/kind.ts";
import { packageRoot } from "../../util/package-root.ts";
import { reportColumns } from "../columns/report-columns.ts";
import type { Report, ReportRow } from "../report.ts";
import { instantText } from "../text/time-text.ts";

/** A campaign's day in a zone. */
export interface Cell {
  /** Absent: of whichever kind has a campaign of that number. */
  kind?: Kind;
  campaignId: number;
  zoneId: number;
  /** Local, `YYYY-MM-DD`. */
  date: string;
}

const folder = "reports/compliance_explain";

/**
 * How one cell of compliance came about: what listings, rules, assets, plays and devices said, and which of the states
 * held. Reads the warehouse, because what listings said before is not published.
 */
export async function explainCell(
  warehouse: DuckDb,
  { kind, campaignId, zoneId, date }: Cell,
): Promise<Report> {
  const kinds = kind === undefined ? await kindsOf(warehouse, campaignId) : [kind];
  const rows: ReportRow[] = [];
  const columns = reportColumns("compliance_explain/10_cell");
  const files = readdirSync(join(packageRoot, "sql", folder)).sort();
  for (const of of kinds) {
    for (const file of files) {
      const sql = readSql(`${folder}/${file}`);
      const asked: Record<string, SqlParameter> = {
        kind: of,
        campaign_id: campaignId,
        zone_id: zoneId,
        date,
      };
      const found = await warehouse.all<Record<string, string>>(
        sql,
        bindByName(sql, (name) => asked[name]),
      );
      const label = (section = "") => (kinds.length > 1 ? `${of} ${section}` : section);
      rows.push(
        ...found.map((row) => [label(row.section), ...columns.slice(1).map(({ name }) => row[name] ?? "")]),
      );
    }
  }
  const { version, dataAsOf } = await warehouse.get<{ version: string; dataAsOf: string | null }>(
    `select version, data_as_of as "dataAsOf" from mart.mart_info`,
  );
  return {
    title: "How a cell of compliance came about",
    period: { from: date, to: date },
    filters: [`campaign ${campaignId}`, `zone ${zoneId}`, ...(kind === undefined ? [] : [`kind ${kind}`])],
    dataAsOf: dataAsOf === null ? null : instantText(dataAsOf),
    version,
    columns,
    rows: eachOf(rows),
    notes: [],
  };
}

/** Signage and messaging number their campaigns alike. */
async function kindsOf(warehouse: DuckDb, campaignId: number): Promise<Kind[]> {
  const found = await warehouse.all<{ kind: Kind }>(
    "select kind from mart.dim_campaign where campaign_id = ? order by kind desc",
    [campaignId],
  );
  return found.length === 0 ? ["signage"] : found.map(({ kind }) => kind);
}

async function* eachOf(rows: readonly ReportRow[]): AsyncIterableIterator<ReportRow> {
  yield* rows;
}
