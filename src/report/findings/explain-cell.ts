import type { SqlParameter } from "../../engines/engine.ts";
import { bindByName } from "../../engines/named-parameters.ts";
import { listReportFiles, readReportHeader } from "../../mart/report-header.ts";
import { readSql } from "../../util/files/sql-file.ts";
import type { Kind } from "../../util/kind.ts";
import { reportColumns } from "../columns/report-columns.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { readByReports } from "../published/read-outdated.ts";
import type { Report, ReportRow } from "../report.ts";

/** A campaign's day in a zone. */
export interface Cell {
  /** Absent: of whichever kind has a campaign of that number. */
  kind?: Kind;
  campaignId: number;
  zoneId: number;
  /** Local, `YYYY-MM-DD`. */
  date: string;
}

/**
 * How one cell of compliance came about: what listings, rules, assets, plays and devices said, and which of the states
 * held.
 * @throws {PublishedOutdatedError} when what is published is of an older version, which published less
 */
export async function explainCell(
  published: PublishedMart,
  { kind, campaignId, zoneId, date }: Cell,
): Promise<Report> {
  const mart = readByReports(published);
  const files = listReportFiles().filter((file) => file.startsWith("compliance_explain/"));
  await mart.defineStaging(files.flatMap((file) => readReportHeader(file).reads.filter(isStaging)));
  const campaigns = await findCampaigns(mart, campaignId, kind);
  const rows: ReportRow[] = [];
  const columns = reportColumns("compliance_explain/10_cell");
  for (const campaign of campaigns) {
    for (const file of files) {
      const sql = readSql(`reports/${file}.sql`);
      const asked: Record<string, SqlParameter> = {
        ...campaign,
        campaign_id: campaignId,
        zone_id: zoneId,
        date,
      };
      const found = await mart.all<Record<string, string>>(
        sql,
        bindByName(sql, (name) => asked[name]),
      );
      const label = (section = "") => (campaigns.length > 1 ? `${campaign.kind} ${section}` : section);
      rows.push(
        ...found.map((row) => [label(row.section), ...columns.slice(1).map(({ name }) => row[name] ?? "")]),
      );
    }
  }
  return {
    title: "How a cell of compliance came about",
    period: { from: date, to: date },
    filters: [`campaign ${campaignId}`, `zone ${zoneId}`, ...(kind === undefined ? [] : [`kind ${kind}`])],
    dataAsOf: mart.dataAsOf,
    version: mart.version,
    columns,
    rows: eachOf(rows),
    notes: [],
  };
}

function isStaging(name: string): boolean {
  return name.startsWith("staging.");
}

/** Signage and messaging number their campaigns alike. One that no listing ever named has no key. */
async function findCampaigns(
  mart: PublishedMart,
  campaignId: number,
  kind: Kind | undefined,
): Promise<{ kind: Kind; campaign_key: number | null }[]> {
  const found = await mart.all<{ kind: Kind; campaign_key: number }>(
    "select kind, campaign_key from dim_campaign where campaign_id = ? order by kind desc",
    [campaignId],
  );
  const asked = found.filter((campaign) => kind === undefined || campaign.kind === kind);
  return asked.length > 0 ? asked : [{ kind: kind ?? "signage", campaign_key: null }];
}

async function* eachOf(rows: readonly ReportRow[]): AsyncIterableIterator<ReportRow> {
  yield* rows;
}
