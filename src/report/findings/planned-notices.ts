import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period } from "../report.ts";
import { instantText } from "../text/cell-text.ts";
import { countOf, momentText } from "../text/readable-text.ts";

/** A row of `sql/reports/planned_notices.sql`. */
export interface PlannedNotice {
  notice_id: number;
  subject: string | null;
  began_at: string;
  /** `null` while ongoing. */
  ended_at: string | null;
}

/** Maximum notices listed one by one. */
const named = 5;

/** Lists the planned notices that affect availability without planned work, in chronological order. */
export async function listPlannedNotices(
  mart: PublishedMart,
  options: ReportOptions,
  period: Period,
): Promise<PlannedNotice[]> {
  return await mart.all<PlannedNotice & Record<string, string | number | null>>(
    ...reportStatement("planned_notices", { ...options, period }),
  );
}

/** Lists notices by number, for figures with little room. */
export function numberNotices(notices: readonly PlannedNotice[]): string {
  const numbers = notices.slice(0, named).map(({ notice_id }) => notice_id);
  return `without ${notices.length === 1 ? "notice" : "notices"} ${numbers.join(", ")}${moreThanNamed(notices)}`;
}

export function notePlannedNotices(notices: readonly PlannedNotice[]): string[] {
  if (notices.length === 0) return [];
  const list = notices.slice(0, named).map(({ notice_id, subject, began_at, ended_at }) => {
    const until = ended_at === null ? "ongoing" : `until ${momentText(instantText(ended_at))}`;
    return `${notice_id}${subject === null ? "" : ` "${subject}"`} (from ${momentText(instantText(began_at))}, ${until})`;
  });
  return [
    `Availability without planned work excludes downtime during ${countOf(notices.length, "planned notice")}: ${list.join("; ")}${moreThanNamed(notices)}.`,
  ];
}

function moreThanNamed({ length }: readonly PlannedNotice[]): string {
  return length > named ? `, and ${length - named} more` : "";
}
