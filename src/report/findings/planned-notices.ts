import { int, isIn, sql } from "../compile/sql.ts";
import { buildStatement } from "../options/build-statement.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period } from "../result-types.ts";
import { formatInstant } from "../text/cell-text.ts";
import { formatMoment, formatQuantity } from "../text/readable-text.ts";

/** A row of `sql/reports/planned_notices.sql`. */
export interface PlannedNotice {
  notice_id: number;
  subject: string | null;
  began_at: string;
  /** `null` while ongoing. */
  ended_at: string | null;
}

/** Maximum notices listed one by one. */
const maxNamed = 5;

/** Lists, in time order, the planned notices that exclude downtime from availability without planned work. */
export async function listPlannedNotices(
  mart: PublishedMart,
  options: ReportOptions,
  period: Period,
): Promise<PlannedNotice[]> {
  const { by, deviceIds = [] } = options;
  const isOfDevices = by.some((word) => ["device", "platform", "model", "firmware"].includes(word));
  const ofDevices =
    deviceIds.length > 0
      ? isIn(sql`f.device_id`, deviceIds, int)
      : isOfDevices
        ? sql`true`
        : sql`z.planned_down_seconds > 0`;
  return await mart.all<PlannedNotice & Record<string, string | number | null>>(
    ...buildStatement("planned_notices", { ...options, period }, { of_devices: ofDevices }),
  );
}

/** Formats notices as numbers, because key numbers have little room. */
export function formatNoticeNumbers(notices: readonly PlannedNotice[]): string {
  const numbers = notices.slice(0, maxNamed).map(({ notice_id }) => notice_id);
  return `without ${notices.length === 1 ? "notice" : "notices"} ${numbers.join(", ")}${formatRemainder(notices)}`;
}

export function notePlannedNotices(notices: readonly PlannedNotice[]): string[] {
  if (notices.length === 0) return [];
  const list = notices.slice(0, maxNamed).map(({ notice_id, subject, began_at, ended_at }) => {
    const until = ended_at === null ? "ongoing" : `until ${formatMoment(formatInstant(ended_at))}`;
    return `${notice_id}${subject === null ? "" : ` "${subject}"`} (from ${formatMoment(formatInstant(began_at))}, ${until})`;
  });
  return [
    `Availability without planned work excludes downtime during ${formatQuantity(notices.length, "planned notice")}: ${list.join("; ")}${formatRemainder(notices)}.`,
  ];
}

function formatRemainder({ length }: readonly PlannedNotice[]): string {
  return length > maxNamed ? `, and ${length - maxNamed} more` : "";
}
