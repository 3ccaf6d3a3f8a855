import { type CalendarDay, dayMs } from "./calendar-day.ts";

const regions = "North America East|North America West|Europe|Asia";

/** Parts of the service whose state is public: top-level components, each followed by its children. */
const components = [
  `Player connectivity|${regions}`,
  `Music playback|${regions}|Streaming catalogue`,
  `Signage playback|${regions}`,
  `Audio messaging|${regions}`,
  "Main API|Devices|Music control|Playlists|Campaigns|Playback history|Exports",
  "Portal|Sign-in|Reports|Support",
  "Uploads",
  "Screenshots",
  "Status page",
].flatMap((family, index) => {
  const id = 310 + index * 10;
  return family
    .split("|")
    .map((name, ordinal) => ({ id: id + ordinal, name, parentId: ordinal === 0 ? null : id }));
});

export const noticeTypes = ["general", "planned", "unplanned"] as const;
export const timelineStates = ["future", "present", "past_recent", "past_distant"] as const;

/**
 * Notices of a ten-day cycle: type, start (hour of the cycle), subject, tags, components, announced period of a
 * maintenance, and updates. The period and the updates are in minutes after the start. The first update
 * publishes the notice. An incident is published after its start.
 */
const noticeTable = `
general|10|New player firmware|news|||@0
planned|12|Maintenance of Music playback|maintenance|320|1140-1500|scheduled@0 underway@1144 complete@1510
unplanned|30|Exports are slow|incident|356||investigating@5 identified@40 recovering@150 resolved@190
planned|34|Maintenance of Uploads|maintenance|370|2880-3060|scheduled@0 cancelled@1900
unplanned|57|Errors of Sign-in||361||investigating@9 false_alarm@45
planned|60|Maintenance of Player connectivity|maintenance|310|2400-2580|scheduled@0 underway@2400 complete@2565
unplanned|80|Players in Berlin can't be reached|players,network|313||investigating@25 identified@70 recovering@300 resolved@315
general|104|Holiday support hours|news|||@0 @90
planned|110|Maintenance of Signage playback|maintenance|330|2040-2760|scheduled@0 underway@2047 complete@2800
unplanned|145|Portal: <delays> & "gaps"|incident|360,356||investigating@3 identified@33 recovering@260 resolved@300`;

const cycleDays = 10;
const cyclesBefore = 4;

/** An incident, a maintenance or an announcement, with all its updates. */
export interface Notice {
  id: number;
  type: string;
  subject: string;
  tags: readonly string[];
  componentIds: readonly number[];
  beganAtMs: number | undefined;
  plannedMs: readonly number[];
  /** In chronological order. A general notice has updates without states. */
  updates: readonly { state: string; atMs: number }[];
}

/** Plans notices from some weeks before the world's first day to some days after its last, ordered by publication. */
export function planNotices(firstDay: CalendarDay, days: number): Notice[] {
  const cycles = Math.ceil(days / cycleDays) + cyclesBefore + 1;
  const rows = noticeTable.trim().split("\n");
  return Array.from({ length: cycles }, (_, cycle) => (firstDay + (cycle - cyclesBefore) * cycleDays) * dayMs)
    .flatMap((cycleMs) => rows.map((row) => planNotice(row.split("|"), cycleMs)))
    .sort((left, right) => (left.updates[0]?.atMs ?? 0) - (right.updates[0]?.atMs ?? 0))
    .map((notice, index) => ({ id: 7001 + index, ...notice }));
}

function planNotice(row: readonly string[], cycleMs: number): Omit<Notice, "id"> {
  const [type = "", hour, subject = "", tags = "", componentIds = "", planned = "", updates = ""] = row;
  const fromMs = cycleMs + Number(hour) * 3_600_000;
  const list = (text: string, separator: string) => (text === "" ? [] : text.split(separator));
  return {
    type,
    subject,
    tags: list(tags, ","),
    componentIds: list(componentIds, ",").map(Number),
    beganAtMs: type === "unplanned" ? fromMs : undefined,
    plannedMs: list(planned, "-").map((minutes) => fromMs + Number(minutes) * 60_000),
    updates: updates.split(" ").map((update) => {
      const [state = "", minutes] = update.split("@");
      return { state, atMs: fromMs + Number(minutes) * 60_000 };
    }),
  };
}

/** Returns the components and published notices at an instant, as records in the service's format. */
export function statusAt(
  { firstDay, notices }: { firstDay: CalendarDay; notices: readonly Notice[] },
  atMs: number,
) {
  const createdAt = formatInstant((firstDay - 400) * dayMs);
  const published = notices.flatMap((notice) => publish(notice, atMs) ?? []);
  const summarize = (concerning: typeof published) => {
    const states = concerning.map(({ effect }) => effect);
    const state = states.includes("degraded") ? "degraded" : states.find((one) => one !== undefined);
    const updated = concerning.map(({ notice }) => notice.updated_at ?? createdAt);
    const updatedAt = updated.toSorted().at(-1) ?? createdAt;
    return { state: state ?? "operational", created_at: createdAt, updated_at: updatedAt };
  };
  const links = {
    components: { href: "/v1/components", count: components.length },
    notices: { href: "/v1/notices", count: published.length },
  };
  const page = { name: "Venue Media Service", url: "https://status.example", links, ...summarize(published) };
  return {
    page: { ...page, state_text: `The service is ${page.state}` },
    /** A parent has the worst state of its children. */
    components: components.map(({ id, name, parentId }) => {
      const family = components.filter((other) => other.id === id || other.parentId === id);
      const isConcerning = ({ componentIds }: Notice) => family.some((one) => componentIds.includes(one.id));
      return {
        id,
        name,
        description: family.length > 1 ? `All of ${name.toLowerCase()}` : "",
        parent_id: parentId,
        ...summarize(published.filter(({ planned }) => isConcerning(planned))),
        links: {
          children: { href: `/v1/components?filter[parent_id_eq]=${id}`, count: family.length - 1 },
        },
      };
    }),
    /** Newest first. */
    notices: published.reverse(),
  };
}

/** Returns a notice's record, updates and effect at an instant; undefined before its publication. */
function publish(planned: Notice, atMs: number) {
  const { id, type, subject, tags, plannedMs } = planned;
  const past = planned.updates.filter((update) => update.atMs <= atMs);
  const [first, latest] = [past[0], past.at(-1)];
  if (!first || !latest) return undefined;
  const end = past.find(({ state }) => ["resolved", "false_alarm", "complete", "cancelled"].includes(state));
  const underway = past.find(({ state }) => state === "underway");
  // An announcement is present for a week; an ended notice is recent for a week.
  const endedAtMs = type === "general" ? first.atMs + 7 * dayMs : (end?.atMs ?? Number.POSITIVE_INFINITY);
  const isRecent = atMs < endedAtMs + 7 * dayMs;
  const pastOrPresent = atMs < endedAtMs ? "present" : isRecent ? "past_recent" : "past_distant";
  const notice = {
    id,
    type,
    timeline_state: latest.state === "scheduled" ? "future" : pastOrPresent,
    ...(latest.state && { state: latest.state }),
    subject,
    url: `https://status.example/notices/${id}`,
    ...(type !== "general" && {
      began_at: formatInstant(planned.beganAtMs ?? underway?.atMs),
      // A cancelled maintenance never took place, so it has no end.
      ended_at: formatInstant(end?.state === "cancelled" ? undefined : end?.atMs),
    }),
    ...(type === "planned" && {
      begins_at: formatInstant(plannedMs[0]),
      ends_at: formatInstant(plannedMs[1]),
    }),
    created_at: formatInstant(first.atMs),
    updated_at: formatInstant(latest.atMs),
    tag_list: tags,
    links: { self: `/v1/notices/${id}` },
  };
  const updates = past.map(({ state, atMs: updatedAtMs }) => ({
    ...(state && { state }),
    content: state ? `The state is ${state}.` : "Read more in the portal.",
    created_at: formatInstant(updatedAtMs),
    updated_at: formatInstant(updatedAtMs),
  }));
  // Incidents have an effect until recovery begins.
  const isDegraded = latest.state === "investigating" || latest.state === "identified";
  const effect = latest.state === "underway" ? "under-maintenance" : isDegraded ? "degraded" : undefined;
  return { planned, notice, updates, effect };
}

/** Formats an instant as ISO 8601 in UTC, with milliseconds. */
function formatInstant(instantMs: number | undefined): string | null {
  return instantMs === undefined ? null : new Date(instantMs).toISOString();
}
