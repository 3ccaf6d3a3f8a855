import { dayMs } from "../calendar-day.ts";

export const noticeTypes = ["general", "planned", "unplanned"] as const;
export type NoticeType = (typeof noticeTypes)[number];

type NoticeProgress =
  | ("investigating" | "identified" | "recovering" | "resolved" | "false_alarm")
  | ("scheduled" | "underway" | "complete" | "cancelled");

/** A step of a notice's progress. */
export interface NoticeUpdate {
  /** Undefined for general notices. */
  state: NoticeProgress | undefined;
  content: string;
  atMs: number;
}

/** An incident, a maintenance or an announcement, with all its updates. */
export interface Notice {
  noticeId: number;
  type: NoticeType;
  subject: string;
  tags: readonly string[];
  componentIds: readonly number[];
  /** Start of the incident; its notice is published later. */
  beganAtMs: number | undefined;
  /** The announced span of a maintenance. */
  plannedSpan: { beginsAtMs: number; endsAtMs: number } | undefined;
  /** In chronological order; the first one is the publication. */
  updates: readonly NoticeUpdate[];
}

export function publishedAt({ updates }: Omit<Notice, "noticeId">): number {
  return updates[0]?.atMs ?? Number.POSITIVE_INFINITY;
}

export const timelineStates = ["future", "present", "past_recent", "past_distant"] as const;
type TimelineState = (typeof timelineStates)[number];

export interface NoticeState {
  notice: Notice;
  timelineState: TimelineState;
  /** Never empty. */
  updates: NoticeUpdate[];
  latest: NoticeUpdate;
  /** Effect on the affected components, and on the service as a whole. */
  effect: "degraded" | "under-maintenance" | undefined;
  beganAtMs: number | undefined;
  endedAtMs: number | undefined;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Time for which an ended notice counts as recent, and an announcement as present. */
const recentMs = 7 * dayMs;

/** Returns the notices published by an instant, newest first. */
export function noticesAt(notices: readonly Notice[], atMs: number): NoticeState[] {
  return notices.flatMap((notice) => describeNoticeState(notice, atMs) ?? []).reverse();
}

/** Returns a notice's state at an instant; undefined before its publication. */
export function describeNoticeState(notice: Notice, atMs: number): NoticeState | undefined {
  const updates = notice.updates.filter((update) => update.atMs <= atMs);
  const latest = updates.at(-1);
  if (!latest) return undefined;
  const underway = updates.find(({ state }) => state === "underway");
  const end = updates.find(({ state }) => state !== undefined && endStates.has(state));
  return {
    notice,
    timelineState: timelineStateAt(notice, latest, end, atMs),
    updates,
    latest,
    effect: deriveEffect(latest),
    beganAtMs: notice.beganAtMs ?? underway?.atMs,
    // A cancelled maintenance never took place, so it has no end.
    endedAtMs: end?.state === "cancelled" ? undefined : end?.atMs,
    createdAtMs: publishedAt(notice),
    updatedAtMs: latest.atMs,
  };
}

const endStates: ReadonlySet<string> = new Set(["resolved", "false_alarm", "complete", "cancelled"]);

function timelineStateAt(
  notice: Notice,
  latest: NoticeUpdate,
  end: NoticeUpdate | undefined,
  atMs: number,
): TimelineState {
  if (latest.state === "scheduled") return "future";
  const endedAtMs = notice.type === "general" ? publishedAt(notice) + recentMs : end?.atMs;
  if (endedAtMs === undefined || atMs < endedAtMs) return "present";
  return atMs < endedAtMs + recentMs ? "past_recent" : "past_distant";
}

/** Derives a notice's effect from its latest update. Incidents have an effect until recovery begins. */
function deriveEffect({ state }: NoticeUpdate): NoticeState["effect"] {
  if (state === "investigating" || state === "identified") return "degraded";
  return state === "underway" ? "under-maintenance" : undefined;
}
