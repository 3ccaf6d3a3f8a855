import { randomUUID } from "node:crypto";
import { ownFolderOf } from "../../config/data-folder.ts";
import type { Incident } from "../../state/data/incidents.ts";
import type { Mention, MessageBody, Unheard } from "../../state/data/outbox.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Delivered, deliver } from "./delivery/deliver.ts";
import { markAnnounced, pickAnnouncement, type Today, updateIncidents } from "./incidents.ts";
import {
  composeDigests,
  type RecipientMessage,
  type RuleOutput,
  withdraw,
} from "./messages/compose-digests.ts";
import { type Content, parseContent } from "./messages/digest.ts";
import { evaluateRule } from "./rules/evaluate-rule.ts";
import type { Evaluation } from "./rules/evaluation.ts";
import { forEachRule, type ReadOnlyWorkspace } from "./rules/for-each-rule.ts";
import { describeFailedRule, type Rule, type RuleFile, readRules, weekdays } from "./rules/read-rules.ts";

export interface Notified extends Delivered {
  /** Mistakes in `notify.csv`, and rules that could not be evaluated. */
  mistakes: readonly string[];
}

/**
 * Evaluates `notify.csv` on the published version, records incidents and the messages about them in one transaction,
 * and then sends all messages that are due.
 */
export async function notify(workspace: Workspace): Promise<Notified> {
  const { state, clock } = workspace;
  const unheard = state.outbox.listUnheard();
  const { messages, incidents, mistakes, over } = await prepareMessages(
    workspace,
    state.incidents.list(),
    unheard,
  );
  const isUnheard = createIsUnheard(unheard);
  const isOver = ({ rule, subject }: Mention) =>
    over.some((incident) => incident.rule === rule && incident.subject === subject);
  state.runs.assertLock();
  state.atomically(() => {
    state.incidents.replaceAll(incidents);
    for (const { id, recipient, content, mentions } of state.outbox.listWaiting()) {
      const isWithdrawn = (mention: Mention) => isOver(mention) && isUnheard(recipient, mention);
      if (!mentions.some(isWithdrawn)) continue;
      const withdrawn = withdraw({ ...parseContent(content), mentions }, isWithdrawn);
      state.outbox.replace(id, withdrawn && toBody(withdrawn));
    }
    for (const { recipient, ...message } of messages)
      state.outbox.add({ id: randomUUID(), recipient, ...toBody(message), createdAt: clock.now() });
  });
  return { ...(await deliver({ ...workspace, outbox: state.outbox })), mistakes };
}

export interface Prepared {
  messages: readonly RecipientMessage[];
  /** All incidents as they are after these messages. */
  incidents: readonly Incident[];
  /** Incidents whose end these messages announce, or that are withdrawn from waiting ones. */
  over: readonly Incident[];
  mistakes: readonly string[];
}

/** Composes the messages that a run would send now. @param known the incidents so far */
export async function prepareMessages(
  workspace: ReadOnlyWorkspace,
  known: readonly Incident[],
  unheard: readonly Unheard[],
): Promise<Prepared> {
  const { settings, clock } = workspace;
  const file = await findRules(workspace);
  const mistakes = [...file.mistakes];
  const incidents: Incident[] = [];
  const now = clock.now();
  const today = { now, dateOf: createDateOf(settings.find("VENUE_SCHEDULE_TIME_ZONE")) };
  const outputs: RuleOutput[] = [];
  const evaluated = new Set<string>();
  const evaluateAll = forEachRule(workspace, file.rules, async (rule, mart) => {
    try {
      const evaluation = await evaluateRule(mart, rule, { settings, now });
      const { updated, announcement } = judge(rule, evaluation, known, today);
      if (announcement === "whole view") outputs.push({ rule, evaluation });
      else if (announcement !== undefined) outputs.push({ rule, evaluation, announcement });
      incidents.push(...updated);
      evaluated.add(rule.name);
    } catch (error) {
      workspace.signal.throwIfAborted();
      if (!(error instanceof VenueError)) throw error;
      mistakes.push(describeFailedRule(file, rule, error));
    }
  });
  await evaluateAll.catch((error) => {
    workspace.signal.throwIfAborted();
    if (!(error instanceof VenueError)) throw error;
    mistakes.push(error.message);
  });
  // A rule with a mistake keeps its incidents until the mistake is fixed.
  const waiting = known.filter(({ rule }) => !evaluated.has(rule));
  const listed = new Set(file.rules.map(({ name }) => name));
  incidents.push(...waiting.filter(({ rule }) => listed.has(rule) || file.mistakes.length > 0));
  return {
    messages: composeDigests(outputs, { settings, now, isUnheard: createIsUnheard(unheard) }),
    incidents,
    over: outputs.flatMap(({ announcement }) => announcement?.over ?? []),
    mistakes,
  };
}

type Subject = Pick<Unheard, "rule" | "subject">;

function createIsUnheard(unheard: readonly Unheard[]): (recipient: string, about: Subject) => boolean {
  const keyOf = (recipient: string, { rule, subject }: Subject) => JSON.stringify([recipient, rule, subject]);
  const keys = new Set(unheard.map((one) => keyOf(one.recipient, one)));
  return (recipient, about) => keys.has(keyOf(recipient, about));
}

function toBody({ digest, attach, mentions }: Omit<RecipientMessage, "recipient">): MessageBody {
  return { content: JSON.stringify({ digest, attach } satisfies Content), mentions };
}

/** Reads the rules. An unreadable file counts as a mistake and stops nothing else. */
async function findRules({ settings }: ReadOnlyWorkspace): Promise<RuleFile> {
  try {
    return await readRules(ownFolderOf(settings));
  } catch (error) {
    if (!(error instanceof VenueError)) throw error;
    return { path: "", rules: [], mistakes: [error.message] };
  }
}

/** Returns a rule's announcement for today, and its incidents afterwards. */
function judge(
  rule: Rule,
  evaluation: Evaluation,
  known: readonly Incident[],
  today: Today,
): { updated: Incident[]; announcement?: RuleOutput["announcement"] | "whole view" } {
  const { now, dateOf } = today;
  const isAllowed = rule.days?.includes(weekdayOf(dateOf(now))) ?? true;
  if (rule.condition === "always") {
    const [last] = known.filter((incident) => incident.rule === rule.name && incident.subject === "");
    const asOf = evaluation.dataAsOf === null ? now : new Date(evaluation.dataAsOf);
    const dataDay = dateOf(asOf);
    if (isAllowed && isDue(last, asOf, today))
      return { updated: [recordSending(rule, dataDay, now)], announcement: "whole view" };
    // Data of a day without messages is not new on the next day.
    return { updated: last ? [isAllowed ? last : { ...last, label: dataDay }] : [] };
  }
  const updated = updateIncidents(known, rule, evaluation, now);
  const matching: Evaluation["matching"] =
    evaluation.suspended === undefined ? evaluation.matching : new Map();
  const announcement = pickAnnouncement(updated, rule, matching, today);
  const isEmpty = Object.values(announcement).every((found) => found.length === 0);
  if (!isAllowed || isEmpty) return { updated };
  return { updated: markAnnounced(updated, announcement, now), announcement };
}

/**
 * Returns true if a rule with `always` has data of a newer day than its last one. Without any, it is due once the data
 * and its last message are 24 hours old, so that its readers notice.
 */
function isDue(last: Incident | undefined, asOf: Date, { now, dateOf }: Today): boolean {
  if (last?.announcedAt == null) return true;
  const sentAt = new Date(last.announcedAt);
  const isOld = [sentAt, asOf].every((instant) => now.getTime() - instant.getTime() >= 24 * 3_600_000);
  return isOld || dateOf(asOf) > (last.label || dateOf(sentAt));
}

/** Returns an incident that records the last day of data of a rule with `always`. */
function recordSending({ name: rule, definition }: Rule, dataDay: string, now: Date): Incident {
  const at = now.toISOString();
  return {
    rule,
    definition,
    subject: "",
    label: dataDay,
    openedAt: at,
    announcedAt: at,
    closedAt: null,
    closedBecause: null,
  };
}

/** @param timeZone @default this machine's */
function createDateOf(timeZone: string | undefined): Today["dateOf"] {
  // The Swedish format is YYYY-MM-DD.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", ...(timeZone && { timeZone }) });
  return (instant) => format.format(instant);
}

function weekdayOf(date: string): (typeof weekdays)[number] {
  return weekdays[new Date(date).getUTCDay()] ?? "sun";
}
