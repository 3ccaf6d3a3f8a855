import { randomUUID } from "node:crypto";
import { customFolderOf } from "../../config/data-folder.ts";
import type { Incident } from "../../state/data/incidents.ts";
import type { WaitingMessage } from "../../state/data/outbox.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { composeDigest, composeSection, type Digest, type DigestSection } from "./compose-digest.ts";
import { type DeliveryResult, deliver } from "./delivery/deliver.ts";
import { planIncidents } from "./plan-incidents.ts";
import { evaluateRules, type ReadOnlyWorkspace } from "./rules/evaluate-rules.ts";
import { findQuiet, readQuiet } from "./rules/read-quiet.ts";
import { readRules } from "./rules/read-rules.ts";

export interface NotifyResult extends DeliveryResult {
  /** Mistakes in `notify.csv` and `quiet.csv`, and rules that could not be evaluated. */
  mistakes: readonly string[];
  /** Rules whose messages are held back, with the end and the reason, e.g. `down until 2026-11-23 (renovation)`. */
  held: readonly string[];
}

/**
 * Evaluates `notify.csv` on the published version, records incidents and the messages about them in one transaction,
 * and then sends all waiting messages.
 */
export async function notify(workspace: Workspace): Promise<NotifyResult> {
  const { state, clock } = workspace;
  const { incidents, outbox } = state;
  const known = { incidents: incidents.list(), waiting: outbox.listWaiting() };
  const { mistakes, held, ...prepared } = await prepareMessages(workspace, known);
  state.runs.assertLock();
  state.atomically(() => {
    incidents.replaceAll(prepared.incidents);
    for (const { digest, ...message } of prepared.messages)
      if (digest) outbox.put({ ...message, content: JSON.stringify(digest), writtenAt: clock.now() });
      else outbox.remove(message.id);
  });
  for (const rule of held) workspace.logger.info("quiet.csv holds messages back.", { rule });
  return { ...(await deliver({ ...workspace, outbox })), mistakes, held };
}

export interface NotifyState {
  incidents: readonly Incident[];
  /** Messages that are not sent yet, oldest first. */
  waiting: readonly WaitingMessage[];
}

export interface PreparedMessages {
  /** At most one per recipient. Without a digest, a waiting message has become empty and is removed. */
  messages: readonly { id: string; recipient: string; digest?: Digest }[];
  /** All incidents after these messages. */
  incidents: readonly Incident[];
  mistakes: readonly string[];
  /** As in `NotifyResult`. */
  held: readonly string[];
}

/**
 * Composes the messages that a run would send now. A waiting message that has not arrived is composed again, so that
 * it does not announce an incident that is over.
 */
export async function prepareMessages(
  workspace: ReadOnlyWorkspace,
  { incidents: known, waiting }: NotifyState,
): Promise<PreparedMessages> {
  const { settings, clock } = workspace;
  const now = clock.now();
  const today = { now, dateOf: createDateOf(settings.find("VENUE_SCHEDULE_TIME_ZONE")) };
  const { evaluations, names, mistakes, quiet } = await tryRules(workspace, now);
  const isEvaluated = (name: string) => evaluations.some(({ rule }) => rule.name === name);
  // A rule with a mistake keeps its incidents until the mistake is fixed.
  const isKept = (name: string) => !isEvaluated(name) && (names.includes(name) || mistakes.length > 0);
  const incidents = known.filter(({ rule }) => isKept(rule));
  const held = new Set<string>();
  const messages: PreparedMessages["messages"][number][] = [];
  for (const recipient of new Set(evaluations.flatMap(({ rule }) => rule.recipients))) {
    const unsent = waiting.findLast((message) => message.recipient === recipient && !message.mayHaveArrived);
    const messageId = unsent?.id ?? randomUUID();
    const sections: DigestSection[] = [];
    for (const { rule, evaluation } of evaluations) {
      if (!rule.recipients.includes(recipient)) continue;
      const before = known
        .filter((one) => one.rule === rule.name && one.definition === rule.definition)
        .filter((one) => one.recipient === recipient)
        .flatMap((one) => updateIncident(one, waiting, messageId));
      const due = planIncidents(before, { rule, recipient, messageId }, evaluation, today);
      const line = findQuiet(quiet, rule, today);
      const planned = line ? holdBack(due, before, messageId) : due;
      incidents.push(...planned);
      if (line && due.some((one) => one.messageId === messageId))
        held.add(`${rule.name} until ${line.to}${line.reason && ` (${line.reason})`}`);
      const mentioned = planned.filter((one) => one.messageId === messageId);
      if (mentioned.length > 0) sections.push(composeSection(rule, evaluation, mentioned, { settings, now }));
    }
    const before = unsent ? (JSON.parse(unsent.content) as Digest).sections : [];
    const kept = before.filter(({ rule }) => !isEvaluated(rule));
    if (sections.length === 0 && kept.length === before.length) continue;
    const all = [...sections, ...kept];
    const digest = all.length > 0 && { digest: composeDigest(all, { settings, now }) };
    messages.push({ id: messageId, recipient, ...digest });
  }
  return { messages, incidents, mistakes, held: [...held] };
}

/** Evaluates the rules. An error is reported as a mistake and does not stop other work. */
async function tryRules(workspace: ReadOnlyWorkspace, now: Date) {
  try {
    const file = await readRules(customFolderOf(workspace.settings));
    const { quiet, mistakes } = await readQuiet(customFolderOf(workspace.settings), file);
    const results = await evaluateRules(workspace, file, now);
    return {
      evaluations: results.flatMap(({ rule, evaluation }) => (evaluation ? { rule, evaluation } : [])),
      names: file.rules.map(({ name }) => name),
      quiet,
      mistakes: [...file.mistakes, ...mistakes, ...results.flatMap(({ mistake }) => mistake ?? [])],
    };
  } catch (error) {
    workspace.signal.throwIfAborted();
    if (!(error instanceof VenueError)) throw error;
    return { evaluations: [], names: [], quiet: [], mistakes: [error.message] };
  }
}

/**
 * Leaves due incidents out of a message. A view that is sent whole has an empty entity. It stays due, because its record
 * keeps the last day that was sent. If that record belongs to the waiting message, it is dropped.
 */
function holdBack(due: readonly Incident[], before: readonly Incident[], messageId: string): Incident[] {
  return due.flatMap((incident) => {
    if (incident.messageId !== messageId) return incident;
    if (incident.entity === "") return before.filter((last) => last.messageId !== messageId);
    return { ...incident, messageId: null, change: null };
  });
}

/** Incidents in an earlier message that may have arrived are treated as announced. */
function updateIncident(
  incident: Incident,
  waiting: readonly WaitingMessage[],
  messageId: string,
): readonly Incident[] {
  const earlier = waiting.find(({ id }) => id === incident.messageId);
  if (earlier === undefined || earlier.id === messageId) return [incident];
  return incident.change === "over" ? [] : [{ ...incident, announcedAt: earlier.writtenAt }];
}

/** @param timeZone @default this machine's */
function createDateOf(timeZone: string | undefined): (instant: Date) => string {
  // The Swedish format is YYYY-MM-DD.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", ...(timeZone && { timeZone }) });
  return (instant) => format.format(instant);
}
