import type { DeliveryResult } from "../../pipeline/notify/delivery/deliver.ts";
import type { NotifyResult } from "../../pipeline/notify/notify.ts";
import { countOf } from "../../util/text/words.ts";
import { combineExitCodes, exitCodes } from "../exit-code.ts";

interface Outcome {
  exitCode: number;
  text: string;
  note: string;
  problems?: readonly string[];
  summary: object;
}

/** Adds the notification result to a run's outcome. */
export function withNotified<Whole extends Outcome>(
  outcome: Whole,
  notified: DeliveryResult & Partial<NotifyResult>,
): Whole {
  const { isNoteworthy, text, problems, summary, exitCode } = describeNotified(notified);
  if (!isNoteworthy) return outcome;
  return {
    ...outcome,
    text: `${outcome.text}\n${text}`,
    note: `${outcome.note} ${text}`,
    problems: [...(outcome.problems ?? []), ...problems],
    summary: { ...outcome.summary, notifications: summary },
    exitCode: combineExitCodes([outcome.exitCode, exitCode]),
  };
}

/** Describes the notification result. Mistakes in rules are findings; failed deliveries are service failures. */
export function describeNotified({
  sent,
  postponed,
  undelivered,
  problems,
  mistakes = [],
  held = [],
}: DeliveryResult & Partial<NotifyResult>) {
  const unsent = [
    ...(postponed > 0 ? [`${countOf(postponed, "message")} will be sent by a later run`] : []),
    ...(undelivered > 0 ? [`${countOf(undelivered, "message")} could not be delivered`] : []),
  ];
  const parts = [
    ...(sent > 0 ? [`${countOf(sent, "message")} sent`] : []),
    ...unsent,
    ...(mistakes.length > 0 ? [`${countOf(mistakes.length, "mistake")} in notify.csv or quiet.csv`] : []),
    ...(held.length > 0 ? [`held back by quiet.csv: ${held.join(", ")}`] : []),
  ];
  const text = parts.length === 0 ? "No messages were due." : `Notifications: ${parts.join("; ")}.`;
  return {
    /** False if there is nothing to mention. */
    isNoteworthy: parts.length > 0,
    text,
    note: text,
    // Each failed delivery is already in the log.
    problems: mistakes,
    summary: { sent, postponed, undelivered, problems, mistakes, held },
    exitCode: combineExitCodes([
      unsent.length > 0 ? exitCodes.service : exitCodes.done,
      mistakes.length > 0 ? exitCodes.finding : exitCodes.done,
    ]),
  };
}
