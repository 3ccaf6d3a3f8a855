import { readSql } from "../../util/files/package-files.ts";
import type { Kind } from "../../util/kind.ts";
import {
  type ComplianceReason,
  type ComplianceState,
  complianceStateNames,
} from "../catalog/compliance-states.ts";
import { quality } from "../catalog/quality.ts";
import { listColumns } from "../columns/list-columns.ts";
import { listReportFiles } from "../compile/fill-file.ts";
import { date, int, type Sql, sql, text } from "../compile/sql.ts";
import { buildStatement, describeFilters } from "../options/build-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { withOutdatedErrors } from "../published/run-state.ts";
import type { Report, ReportRow } from "../result-types.ts";
import { formatClock, formatDay, formatQuantity } from "../text/readable-text.ts";

/** A campaign day: one campaign in one zone on one local day. */
export interface Cell {
  /** If absent, campaigns with this id are explained in every kind. */
  kind?: Kind;
  campaignId: number;
  zoneId: number;
  /** Local date, `YYYY-MM-DD`. */
  date: string;
}

const answerFile = "cell_answer";

/** Selects the single row that the explanation's SQL files read. */
function selectCell(
  { kind, campaign_key: key }: Campaign,
  { campaignId, zoneId, date: day }: Omit<Cell, "kind">,
): Sql {
  const campaignKey = key === null ? sql`cast(null as bigint)` : int(key);
  return sql`select
    ${text(kind)} as kind,
    ${int(campaignId)} as campaign_id,
    ${campaignKey} as campaign_key,
    ${int(zoneId)} as zone_id,
    ${date(day)} as date`;
}

/**
 * Explains the state of a campaign day from its sources and the states that matched.
 * @throws {VenueError} `PUBLISHED_OUTDATED` when an older release built the version and published less data
 */
export async function explainCampaignDay(
  published: PublishedMart,
  { kind, campaignId, zoneId, date: day }: Cell,
): Promise<Report> {
  const mart = withOutdatedErrors(published);
  const files = listReportFiles("compliance_explain");
  await mart.defineStaging(
    [answerFile, ...files].flatMap((file) => readSql(`reports/${file}.sql`).match(/\bstaging\.\w+/g) ?? []),
  );
  const campaigns = await findCampaigns(mart, campaignId, kind);
  const rows: ReportRow[] = [];
  const explanations: CellExplanation[] = [];
  const subjects = new Set<string>();
  const columns = listColumns(quality);
  for (const campaign of campaigns) {
    const select = selectCell(campaign, { campaignId, zoneId, date: day });
    const explanation = await findExplanation(mart, select);
    for (const file of files) {
      const found = await mart.all<Record<string, string>>(...buildStatement(file, {}, { cell: select }));
      const [cell] = file === files[0] ? found : [];
      if (cell) {
        subjects.add(cell.subject ?? "");
        explanations.push(explanation ?? { outcome: "not scheduled", summary: cell.note ?? "" });
      }
      const label = (section = "") => (campaigns.length > 1 ? `${campaign.kind} ${section}` : section);
      rows.push(
        ...found.map((row) => [label(row.section), ...columns.slice(1).map(({ name }) => row[name] ?? "")]),
      );
    }
  }
  const [first, ...others] = explanations;
  const notes = explanations.map(({ summary }, at) =>
    others.length > 0 ? `${campaigns[at]?.kind}: ${summary}` : summary,
  );
  return {
    title: first && others.length === 0 ? `Explanation: ${first.outcome}` : "Explanation",
    period: { from: day, to: day },
    filters: await describeCellFilters(
      mart,
      { campaignId, zoneId, date: day, ...(kind && { kind }) },
      campaigns,
    ),
    dataAsOf: mart.dataAsOf,
    version: mart.version,
    columns,
    rows: streamRows(rows),
    notes,
    answer: { heading: `${[...subjects].join(", ")}, ${formatDay(day)}`, headline: notes.join(" ") },
  };
}

async function describeCellFilters(
  mart: PublishedMart,
  { campaignId, zoneId }: Cell,
  campaigns: readonly Campaign[],
): Promise<string[]> {
  const campaignKeys = campaigns.flatMap(({ campaign_key: key }) => (key === null ? [] : [key]));
  const none = { groupIds: [], locationIds: [], kinds: [], attributes: [] };
  const filters = { ...none, zoneIds: [zoneId], campaignKeys };
  const named = await describeFilters(mart, filters);
  return campaignKeys.length > 0 ? named : [...named, `campaign ${campaignId}`];
}

interface Campaign {
  kind: Kind;
  campaign_key: number | null;
}

/** Finds campaigns by id. Signage and messaging share ids. A campaign that was never listed has no key. */
async function findCampaigns(
  mart: PublishedMart,
  campaignId: number,
  kind: Kind | undefined,
): Promise<Campaign[]> {
  const found = await mart.all<{ kind: Kind; campaign_key: number }>(
    "select kind, campaign_key from dim_campaign where campaign_id = ? order by kind desc",
    [campaignId],
  );
  const matching = found.filter((campaign) => kind === undefined || campaign.kind === kind);
  return matching.length > 0 ? matching : [{ kind: kind ?? "signage", campaign_key: null }];
}

async function* streamRows(rows: readonly ReportRow[]): AsyncIterableIterator<ReportRow> {
  yield* rows;
}

/** A row of `sql/reports/cell_answer.sql`. */
interface CellRow {
  kind: Kind;
  state: ComplianceState;
  reason: ComplianceReason | null;
  candidate_plays: number;
  is_doubtful: boolean;
  has_plays: boolean;
  is_down: boolean;
  is_up: boolean;
  times: number;
  due_times: number;
  spans: number;
  /** Seconds since midnight. */
  opens_secs: number | null;
  closes_secs: number | null;
}

interface CellExplanation {
  /** Wording of the state, e.g. `missed`. */
  outcome: string;
  summary: string;
}

/** Explains a campaign day; `undefined` if it was neither scheduled nor played. */
async function findExplanation(mart: PublishedMart, cell: Sql): Promise<CellExplanation | undefined> {
  const [row] = await mart.all<CellRow>(...buildStatement(answerFile, {}, { cell }));
  if (!row) return undefined;
  const outcome = complianceStateNames[row.state];
  const summary = `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}: ${explainState(row)}.`;
  return { outcome: outcome, summary: [summary, ...explainDueTimes(row)].join(" ") };
}

function explainState(row: CellRow): string {
  switch (row.state) {
    case "missed": {
      const zone = row.has_plays ? "the zone was open" : "the zone was expected to be open";
      const device = row.is_down
        ? "its device was down for only part of the day"
        : row.is_up
          ? "its device had no known downtime"
          : "its device was not checked";
      const played: Partial<Record<ComplianceReason, string>> = {
        zone_silent: "nothing played",
        kind_silent: `no ${row.kind} played`,
        other_content: `none of its assets played, only other ${row.kind}`,
      };
      const what = (row.reason && played[row.reason]) ?? "none of its assets played";
      return `${what}, although ${zone} and ${device}`;
    }
    case "missed_offline":
      return "none of its assets played, and no device of the zone is known to have been up that day";
    case "closed":
      return "the zone had no plays and was not expected to be open that day";
    case "pending":
      return "plays of this day may still arrive";
    case "not_measurable":
      return row.is_doubtful
        ? "the listings before and after the day disagree about it"
        : "the zone had no plays, and no state of its devices is known that day";
    default:
      return `its assets played ${row.candidate_plays === 1 ? "once" : `${row.candidate_plays} times`}`;
  }
}

function explainDueTimes({ state, times, due_times, spans, opens_secs, closes_secs }: CellRow): string[] {
  if (state === "unscheduled" || times === 0 || due_times > 0) return [];
  const all = times === 1 ? "Its only due time is" : `All ${formatQuantity(times, "due time")} are`;
  const hours =
    spans === 1 && opens_secs !== null && closes_secs !== null
      ? ` (${formatClock(opens_secs)} to ${formatClock(closes_secs)})`
      : "";
  return [`${all} outside the zone's opening hours${hours}.`];
}
