import type { NoticeUpdate } from "../../world/status/notice.ts";
import type { NoticeState } from "../../world/status/notice-state.ts";

/** What listings and the detail of a notice have in common. */
export function noticeRecord(
  { notice, timelineState, latest, ...state }: NoticeState,
  statusUrl: string,
): Record<string, unknown> {
  const { noticeId, type, subject, plannedSpan, tags } = notice;
  return {
    id: noticeId,
    type,
    timeline_state: timelineState,
    ...(latest.state && { state: latest.state }),
    subject,
    url: `${statusUrl}/notices/${noticeId}`,
    ...(type !== "general" && {
      began_at: timeText(state.beganAtMs),
      ended_at: timeText(state.endedAtMs),
    }),
    ...(plannedSpan && {
      begins_at: timeText(plannedSpan.beginsAtMs),
      ends_at: timeText(plannedSpan.endsAtMs),
    }),
    created_at: timeText(state.createdAtMs),
    updated_at: timeText(state.updatedAtMs),
    tag_list: tags,
    links: { self: `/v1/notices/${noticeId}` },
  };
}

export function updateRecord({ state, content, atMs }: NoticeUpdate): Record<string, unknown> {
  return {
    ...(state && { state }),
    content,
    created_at: timeText(atMs),
    updated_at: timeText(atMs),
  };
}

/** ISO 8601, UTC, with milliseconds. */
function timeText(instantMs: number | undefined): string | null {
  return instantMs === undefined ? null : new Date(instantMs).toISOString();
}
