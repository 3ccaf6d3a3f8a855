import type { Change, Incident } from "../../state/data/incidents.ts";
import { countDaysBetween } from "../../util/local-date.ts";
import type { Evaluation, Match } from "./rules/evaluate-rule.ts";
import { type Rule, weekdays } from "./rules/read-rules.ts";

/** The current time, and a function that returns local dates (`YYYY-MM-DD`), which decide when messages are due. */
export interface Today {
  now: Date;
  dateOf(instant: Date): string;
}

export interface PlanFor {
  rule: Rule;
  recipient: string;
  /** The message being composed. Incidents that it already mentioned may be sent on any day. */
  messageId: string;
}

/** Opens and closes the incidents of a rule for a recipient, and links those that the message should mention. */
export function planIncidents(
  known: readonly Incident[],
  plan: PlanFor,
  evaluation: Evaluation,
  today: Today,
): Incident[] {
  const { rule, messageId } = plan;
  const waitSeconds = Math.round((rule.forHours ?? 0) * 3600);
  const isAllowed =
    rule.days?.includes(weekdays[new Date(today.dateOf(today.now)).getUTCDay()] ?? "sun") ?? true;
  if (rule.condition === "always") return planView(known[0], { ...plan, isAllowed }, evaluation, today);
  const { matching, suspended } = evaluation;
  const isDue = (announcedAt: string) =>
    rule.remindDays !== undefined &&
    countDaysBetween(today.dateOf(new Date(announcedAt)), today.dateOf(today.now)) >= rule.remindDays;
  const findChange = (incident: Incident): Change | undefined => {
    if (!isAllowed && incident.messageId !== messageId) return undefined;
    if (incident.closedAt !== null) return "over";
    if (!matching.has(incident.entity)) return undefined;
    if (incident.announcedAt === null) return hasLasted(incident) ? "new" : undefined;
    return isDue(incident.announcedAt) ? "open" : undefined;
  };
  const hasLasted = ({ entity, openedAt }: Incident) => {
    const seconds = (today.now.getTime() - Date.parse(openedAt)) / 1000;
    return (matching.get(entity)?.span?.seconds ?? seconds) >= waitSeconds;
  };
  const incidents = suspended === undefined ? updateIncidents(known, plan, evaluation, today.now) : known;
  return incidents.map((incident) => {
    const change = findChange(incident);
    if (change) return { ...incident, messageId, change };
    return incident.messageId === messageId ? { ...incident, messageId: null, change: null } : incident;
  });
}

/** Rows with too little data neither open nor close an incident. */
function updateIncidents(
  known: readonly Incident[],
  plan: PlanFor,
  { matching, undecided }: Evaluation,
  now: Date,
): Incident[] {
  const kept = known.flatMap((incident) => {
    const row = matching.get(incident.entity);
    // An announced incident keeps its announced start.
    const openedAt = incident.announcedAt === null && row?.span ? row.span.startedAt : incident.openedAt;
    if (row) return { ...incident, label: row.label, openedAt, closedAt: null };
    if (undecided.has(incident.entity)) return incident;
    // The incident was never announced, so its end needs no message.
    if (incident.announcedAt === null) return [];
    return { ...incident, closedAt: incident.closedAt ?? now.toISOString() };
  });
  const begun = [...matching].filter(([entity]) => !kept.some((incident) => incident.entity === entity));
  return [...kept, ...begun.map(([entity, row]) => createIncident(plan, { entity, ...row }, now))];
}

function createIncident(
  { rule: { name: rule, definition }, recipient }: PlanFor,
  { entity, label, span }: { entity: string } & Pick<Match, "label" | "span">,
  now: Date,
): Incident {
  const open = { announcedAt: null, closedAt: null, messageId: null, change: null };
  const openedAt = span?.startedAt ?? now.toISOString();
  return { rule, definition, recipient, entity, label, openedAt, ...open };
}

/**
 * Plans a rule with `always`, whose only incident records the last day of data that was sent. It is due when the data has
 * a newer day. It is also due when both the data and the last message are 24 hours old, so that readers notice old data.
 */
function planView(
  last: Incident | undefined,
  { isAllowed, ...plan }: PlanFor & { isAllowed: boolean },
  { dataAsOf }: Evaluation,
  { now, dateOf }: Today,
): Incident[] {
  const asOf = dataAsOf === null ? now : new Date(dataAsOf);
  const label = dateOf(asOf);
  const isOld = (instant: Date) => now.getTime() - instant.getTime() >= 24 * 3_600_000;
  const isDue =
    last?.announcedAt == null || label > last.label || (isOld(asOf) && isOld(new Date(last.announcedAt)));
  if (last?.messageId === plan.messageId || (isAllowed && isDue)) {
    const incident = last ?? createIncident(plan, { entity: "", label }, now);
    return [{ ...incident, label, messageId: plan.messageId, change: "new" }];
  }
  // Data from a day on which the rule must not send is not new on the next day.
  return last ? [isAllowed ? last : { ...last, label }] : [];
}
