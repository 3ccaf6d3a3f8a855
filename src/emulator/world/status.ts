import { type CalendarDay, dayMs } from "./calendar-day.ts";

/** A part of the service whose state is public. */
interface Component {
  id: number;
  name: string;
  parentId: number | null;
}

const regions = "North America East|North America West|Europe|Asia";

/** Top-level components, each followed by its children. */
const components: readonly Component[] = [
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
 * Notices of ten days, which repeat: type, hour of the ten days from which the other times count, subject,
 * tags, components, announced span of a maintenance, and updates with their minutes, of which the first is
 * the publication. An incident begins at its hour and is published later.
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

const contents: Readonly<Record<string, string>> = {
  "": "Read more in the portal.",
  scheduled: "This part of the service will be maintained.",
  underway: "The maintenance has started.",
  complete: "The maintenance is complete.",
  cancelled: "This maintenance is no longer needed.",
  investigating: "We are investigating reports.",
  identified: "We have found the cause and are working on a fix.",
  recovering: "A fix is in place. We are monitoring the results.",
  resolved: "The incident is resolved.",
  false_alarm: "There was no problem on our side.",
};

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

/** Plans the notices from weeks before the world's first day to days after its last, by publication. */
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

type State = "operational" | "degraded" | "under-maintenance";

const texts: Readonly<Record<State, string>> = {
  operational: "All systems operational",
  degraded: "Some systems are degraded",
  "under-maintenance": "Maintenance is under way",
};

/** Notices and components in the service's format, as they are at an instant. */
export class StatusAt {
  readonly #createdAtMs: number;
  /** Published notices, newest first. */
  readonly #published: { notice: Notice; updates: Notice["updates"]; updatedAtMs: number; effect: State }[];
  readonly #atMs: number;

  constructor({ firstDay, notices }: { firstDay: CalendarDay; notices: readonly Notice[] }, atMs: number) {
    this.#createdAtMs = (firstDay - 400) * dayMs;
    this.#atMs = atMs;
    this.#published = notices.toReversed().flatMap((notice) => {
      const updates = notice.updates.filter((update) => update.atMs <= atMs);
      const latest = updates.at(-1);
      return latest ? [{ notice, updates, updatedAtMs: latest.atMs, effect: effectOf(latest.state) }] : [];
    });
  }

  page(): object {
    const state = worstOf(this.#published.map(({ effect }) => effect));
    return {
      name: "Venue Media Service",
      state,
      state_text: texts[state],
      url: "https://status.example",
      links: {
        components: { href: "/v1/components", count: components.length },
        notices: { href: "/v1/notices", count: this.#published.length },
      },
      ...this.#times(this.#published),
    };
  }

  /** A parent has the worst state of its children. */
  components() {
    return components.map(({ id, name, parentId }) => {
      const family = components.filter((other) => other.id === id || other.parentId === id);
      const concerning = this.#published.filter(({ notice }) =>
        family.some((component) => notice.componentIds.includes(component.id)),
      );
      return {
        id,
        state: worstOf(concerning.map(({ effect }) => effect)),
        name,
        description: family.length > 1 ? `All of ${name.toLowerCase()}` : "",
        parent_id: parentId,
        ...this.#times(concerning),
        links: {
          children: { href: `/v1/components?filter[parent_id_eq]=${id}`, count: family.length - 1 },
        },
      };
    });
  }

  /** Newest first. */
  notices() {
    return this.#published.map(({ notice, updates, updatedAtMs }) => {
      const { id, type, subject, tags, plannedMs } = notice;
      const latest = updates.at(-1);
      const end = updates.find(({ state }) => endStates.has(state));
      const underway = updates.find(({ state }) => state === "underway");
      return {
        id,
        type,
        timeline_state: this.#timelineState(notice, latest?.state, end?.atMs),
        ...(latest?.state && { state: latest.state }),
        subject,
        url: `https://status.example/notices/${id}`,
        ...(type !== "general" && {
          began_at: formatInstant(notice.beganAtMs ?? underway?.atMs),
          // A cancelled maintenance never took place, so it has no end.
          ended_at: formatInstant(end?.state === "cancelled" ? undefined : end?.atMs),
        }),
        ...(type === "planned" && {
          begins_at: formatInstant(plannedMs[0]),
          ends_at: formatInstant(plannedMs[1]),
        }),
        created_at: formatInstant(updates[0]?.atMs),
        updated_at: formatInstant(updatedAtMs),
        tag_list: tags,
        links: { self: `/v1/notices/${id}` },
        latest_update: updateRecords(updates).at(-1),
      };
    });
  }

  /** Returns the fields that only a notice's details have. */
  details(id: number): object {
    const { notice, updates } = this.#published.find((published) => published.notice.id === id) ?? {};
    return {
      components: this.components()
        .filter((component) => notice?.componentIds.includes(component.id))
        .map(({ links: _, ...component }) => component),
      updates: updateRecords(updates ?? []),
    };
  }

  /** An ended notice is recent for a week, and an announcement is present for as long. */
  #timelineState({ type, updates }: Notice, state: string | undefined, endMs: number | undefined) {
    if (state === "scheduled") return "future";
    const recentMs = 7 * dayMs;
    const endedAtMs = type === "general" ? (updates[0]?.atMs ?? 0) + recentMs : endMs;
    if (endedAtMs === undefined || this.#atMs < endedAtMs) return "present";
    return this.#atMs < endedAtMs + recentMs ? "past_recent" : "past_distant";
  }

  #times(notices: readonly { updatedAtMs: number }[]) {
    const updatedAtMs = Math.max(this.#createdAtMs, ...notices.map((notice) => notice.updatedAtMs));
    return { created_at: formatInstant(this.#createdAtMs), updated_at: formatInstant(updatedAtMs) };
  }
}

const endStates: ReadonlySet<string> = new Set(["resolved", "false_alarm", "complete", "cancelled"]);

/** Incidents have an effect until recovery begins. */
function effectOf(state: string): State {
  if (state === "investigating" || state === "identified") return "degraded";
  return state === "underway" ? "under-maintenance" : "operational";
}

function worstOf(states: readonly State[]): State {
  const worst = (["degraded", "under-maintenance"] as const).find((state) => states.includes(state));
  return worst ?? "operational";
}

function updateRecords(updates: Notice["updates"]): object[] {
  return updates.map(({ state, atMs }) => ({
    ...(state && { state }),
    content: contents[state],
    created_at: formatInstant(atMs),
    updated_at: formatInstant(atMs),
  }));
}

/** Formats an instant as ISO 8601 in UTC, with milliseconds. */
function formatInstant(instantMs: number | undefined): string | null {
  return instantMs === undefined ? null : new Date(instantMs).toISOString();
}
