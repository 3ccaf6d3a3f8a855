export const noticeTypes = ["general", "planned", "unplanned"] as const;
export type NoticeType = (typeof noticeTypes)[number];

type NoticeProgress =
  | ("investigating" | "identified" | "recovering" | "resolved" | "false_alarm")
  | ("scheduled" | "underway" | "complete" | "cancelled");

/** A step of a notice's progress. */
export interface NoticeUpdate {
  /** Undefined for general ones. */
  state: NoticeProgress | undefined;
  content: string;
  atMs: number;
}

/** An incident, a maintenance or an announcement: all that will ever be said of it. */
export interface Notice {
  noticeId: number;
  type: NoticeType;
  subject: string;
  tags: readonly string[];
  componentIds: readonly number[];
  /** When an incident began; it is published later. */
  beganAtMs: number | undefined;
  /** The span that a maintenance was announced for. */
  plannedSpan: { beginsAtMs: number; endsAtMs: number } | undefined;
  /** In order; the first publishes it. */
  updates: readonly NoticeUpdate[];
}

/** When a notice was published. */
export function publishedAt({ updates }: Omit<Notice, "noticeId">): number {
  return updates[0]?.atMs ?? Number.POSITIVE_INFINITY;
}
