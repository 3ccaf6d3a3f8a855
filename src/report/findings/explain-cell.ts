import type { SqlParameter } from "../../engines/engine.ts";
import { bindByName } from "../../engines/statements.ts";
import { listReportFiles, readReportHeader } from "../../mart/report-header.ts";
import { readSql } from "../../util/files/package-files.ts";
import type { Kind } from "../../util/kind.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { readByReports } from "../published/read-outdated.ts";
import type { Report, ReportRow } from "../report.ts";
import { dayText } from "../text/people-text.ts";
import { type CellAnswer, findCellAnswer } from "./cell-answer.ts";

/** A campaign's day in a zone. */
export interface Cell {
  /** Absent: of whichever kind has a campaign of that number. */
  kind?: Kind;
  campaignId: number;
  zoneId: number;
  /** Local, `YYYY-MM-DD`. */
  date: string;
}

const cellFile = "compliance_explain/10_cell";

/**
 * Why a campaign's day in a zone counts as it does: in a sentence, and by what listings, rules, assets, plays and devices
 * said, and which of the states held.
 * @throws {PublishedOutdatedError} when what is published is of an older version, which published less
 */
export async function explainCell(
  published: PublishedMart,
  { kind, campaignId, zoneId, date }: Cell,
): Promise<Report> {
  const mart = readByReports(published);
  const files = listReportFiles().filter((file) => file.startsWith("compliance_explain/"));
  await mart.defineStaging(
    ["cell_answer", ...files].flatMap((file) => readReportHeader(file).reads.filter(isStaging)),
  );
  const campaigns = await findCampaigns(mart, campaignId, kind);
  const rows: ReportRow[] = [];
  const answers: CellAnswer[] = [];
  const subjects = new Set<string>();
  const columns = reportColumns(cellFile);
  for (const campaign of campaigns) {
    const answer =
      campaign.campaign_key === null
        ? undefined
        : await findCellAnswer(mart, campaign.campaign_key, zoneId, date);
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
      const [cell] = file === cellFile ? found : [];
      if (cell) {
        subjects.add(cell.subject ?? "");
        answers.push(answer ?? { verdict: "nothing", said: cell.note ?? "" });
      }
      const label = (section = "") => (campaigns.length > 1 ? `${campaign.kind} ${section}` : section);
      rows.push(
        ...found.map((row) => [label(row.section), ...columns.slice(1).map(({ name }) => row[name] ?? "")]),
      );
    }
  }
  const [first, ...others] = answers;
  const notes = answers.map(({ said }, at) => (others.length > 0 ? `${campaigns[at]?.kind}: ${said}` : said));
  return {
    title: `Why this day counts as ${first && others.length === 0 ? first.verdict.replace("ran", "run") : "it does"}`,
    period: { from: date, to: date },
    filters: await nameCell(mart, { campaignId, zoneId, date, ...(kind && { kind }) }, campaigns),
    dataAsOf: mart.dataAsOf,
    version: mart.version,
    columns,
    rows: eachOf(rows),
    notes,
    describe: async () => ({
      heading: `${[...subjects].join(", ")}, ${dayText(date)}`,
      headline: notes.join(" "),
      facts: [],
      charts: [],
    }),
  };
}

async function nameCell(
  mart: PublishedMart,
  { campaignId, zoneId }: Cell,
  campaigns: readonly Campaign[],
): Promise<string[]> {
  const campaignKeys = campaigns.flatMap(({ campaign_key: key }) => (key === null ? [] : [key]));
  const asked = { zoneIds: [zoneId], campaignKeys, groupIds: [], locationIds: [], kinds: [] };
  const named = await describeFilters(mart, asked);
  return campaignKeys.length > 0 ? named : [...named, `campaign ${campaignId}`];
}

interface Campaign {
  kind: Kind;
  campaign_key: number | null;
}

function isStaging(name: string): boolean {
  return name.startsWith("staging.");
}

/** Signage and messaging number their campaigns alike. One that no listing ever named has no key. */
async function findCampaigns(
  mart: PublishedMart,
  campaignId: number,
  kind: Kind | undefined,
): Promise<Campaign[]> {
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
