import type { Incident } from "../../state/data/incidents.ts";
import { countDaysBetween } from "../../util/local-date.ts";
import type { Evaluation } from "./rules/evaluation.ts";
import type { Rule } from "./rules/read-rules.ts";

/** Incidents of one rule that a message should mention. */
export interface Announcement {
  begun: readonly Incident[];
  /** Ongoing incidents to send a reminder of. */
  open: readonly Incident[];
  over: readonly Incident[];
}

/** The current time, and a function that returns local dates (`YYYY-MM-DD`), which decide when messages are due. */
export interface Today {
  now: Date;
  dateOf(instant: Date): string;
}

/**
 * Opens, continues and closes a rule's incidents. Subjects that can't be judged stay as they are: too little data is
 * evidence neither of a problem nor of its end.
 */
export function updateIncidents(
  known: readonly Incident[],
  { name: rule, definition }: Pick<Rule, "name" | "definition">,
  {
    matching,
    clear,
    unknown,
    pushedOff,
    suspended,
  }: Pick<Evaluation, "matching" | "clear" | "unknown" | "pushedOff" | "suspended">,
  now: Date,
): Incident[] {
  const ofRule = known.filter((incident) => incident.rule === rule && incident.definition === definition);
  if (suspended !== undefined) return ofRule;
  const at = now.toISOString();
  const kept = ofRule.flatMap((incident) => {
    const row = matching.get(incident.subject);
    if (row) return { ...incident, label: row.label, closedAt: null, closedBecause: null };
    if (pushedOff.has(incident.subject)) return { ...incident, closedAt: null, closedBecause: null };
    if (incident.closedAt === null && unknown.has(incident.subject)) return incident;
    // Nobody was notified of it, so its end needs no message.
    if (incident.announcedAt === null) return [];
    if (incident.closedAt !== null) return incident;
    return {
      ...incident,
      closedAt: at,
      closedBecause: clear.has(incident.subject) ? "over" : "not listed any more",
    };
  });
  const subjects = new Set(kept.map(({ subject }) => subject));
  const begun = [...matching].flatMap(([subject, { label }]) =>
    subjects.has(subject)
      ? []
      : {
          rule,
          definition,
          subject,
          label,
          openedAt: at,
          announcedAt: null,
          closedAt: null,
          closedBecause: null,
        },
  );
  return [...kept, ...begun];
}

/**
 * Picks the incidents to announce.
 * @param matching subjects that still have the problem; only these can begin or be sent again as a reminder
 */
export function pickAnnouncement(
  incidents: readonly Incident[],
  { remindDays }: Pick<Rule, "remindDays">,
  matching: Evaluation["matching"],
  { now, dateOf }: Today,
): Announcement {
  const isDue = ({ announcedAt }: Incident) =>
    remindDays !== undefined &&
    announcedAt !== null &&
    countDaysBetween(dateOf(new Date(announcedAt)), dateOf(now)) >= remindDays;
  const open = incidents.filter(({ closedAt, subject }) => closedAt === null && matching.has(subject));
  return {
    begun: open.filter(({ announcedAt }) => announcedAt === null),
    open: open.filter(isDue),
    over: incidents.filter(({ closedAt }) => closedAt !== null),
  };
}

/** Returns the incidents after an announcement, without those announced as over. */
export function markAnnounced(
  incidents: readonly Incident[],
  { begun, open, over }: Announcement,
  now: Date,
): Incident[] {
  const announced = new Set([...begun, ...open]);
  const ended = new Set(over);
  return incidents
    .filter((incident) => !ended.has(incident))
    .map((incident) =>
      announced.has(incident) ? { ...incident, announcedAt: now.toISOString() } : incident,
    );
}
