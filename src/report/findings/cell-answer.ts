import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { countOf } from "../text/people-text.ts";

/** A row of `sql/reports/cell_answer.sql`. */
interface CellRow {
  state: string;
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

/** How a campaign's day in a zone counts. */
export interface CellAnswer {
  /** After "counts as", e.g. `missed`. */
  verdict: string;
  /** The verdict and why, in one or two sentences. */
  said: string;
}

/** Of one campaign, zone and date; `undefined` where no such day was scheduled or played. */
export async function findCellAnswer(
  mart: PublishedMart,
  campaignKey: number,
  zoneId: number,
  date: string,
): Promise<CellAnswer | undefined> {
  const asked: Partial<ReportOptions> = { campaignKeys: [campaignKey], zoneIds: [zoneId] };
  const statement = reportStatement("cell_answer", { ...asked, period: { from: date, to: date } });
  const [row] = await mart.all<CellRow & Record<string, string | number | boolean | null>>(...statement);
  if (!row) return undefined;
  const [verdict, why] = judge(row);
  const said = `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}: ${why}.`;
  return { verdict, said: [said, ...sayTimes(row)].join(" ") };
}

function judge(row: CellRow): [verdict: string, why: string] {
  const played = `its assets played ${row.candidate_plays === 1 ? "once" : `${row.candidate_plays} times`}`;
  switch (row.state) {
    case "compliant":
      return ["ran", played];
    case "missed": {
      const zone = row.has_plays ? "the zone was open" : "the zone was to be open";
      const device = row.is_down
        ? "its device was down for a part of the day only"
        : "its device was not known to be down";
      return ["missed", `nothing of it played, though ${zone} and ${device}`];
    }
    case "missed_offline":
      return [
        "missed while the device was down",
        "nothing of it played, and no device of the zone is known to have been up that day",
      ];
    case "closed":
      return ["closed", "nothing at all played in the zone, which was not to be open that day"];
    case "pending":
      return ["not settled yet", "plays of this day may still arrive"];
    case "not_measurable":
      return [
        "not measurable",
        row.is_doubtful
          ? "the listings before and after the day disagree on it"
          : "nothing at all played in the zone, and nothing is known of its devices that day",
      ];
    default:
      return ["played without being scheduled", played];
  }
}

/** Where a rule names times, and the zone was open at none. */
function sayTimes({ state, times, due_times, spans, opens_secs, closes_secs }: CellRow): string[] {
  if (state === "unscheduled" || times === 0 || due_times > 0) return [];
  const all = times === 1 ? "Its one due time lies" : `All ${countOf(times, "due time")} lie`;
  const hours =
    spans === 1 && opens_secs !== null && closes_secs !== null
      ? ` (${clockText(opens_secs)} to ${clockText(closes_secs)})`
      : "";
  return [`${all} outside the zone's opening hours${hours}.`];
}

function clockText(seconds: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${part(seconds / 3600)}:${part((seconds % 3600) / 60)}`;
}
