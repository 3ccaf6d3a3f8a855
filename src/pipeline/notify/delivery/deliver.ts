import { ConfigError, type Settings } from "../../../config/settings.ts";
import type { Outbox } from "../../../state/data/outbox.ts";
import { isMailAddress } from "../../../util/text/mail-address.ts";
import type { Digest } from "../compose-digest.ts";
import type { ReadOnlyWorkspace } from "../rules/evaluate-rules.ts";
import { createAttach, noteMissing } from "./attach-files.ts";
import type { DeliveryFailure, Message } from "./message.ts";
import { openMailer } from "./send-mail.ts";
import { getWebhook } from "./webhooks.ts";

/** Result of a delivery, in numbers of messages. */
export interface DeliveryResult {
  sent: number;
  /** Messages that a later run will retry. */
  postponed: number;
  /** Messages that were abandoned. */
  undelivered: number;
  /** Distinct reasons why messages were not sent, without secrets. */
  problems: string[];
}

export interface DeliveryOptions extends ReadOnlyWorkspace {
  /** For one message, in milliseconds. @default 30_000 */
  timeoutMs?: number;
}

const hourMs = 3_600_000;
const giveUpMs = 72 * hourMs;
const keepMs = 30 * 24 * hourMs;

/**
 * Sends the waiting messages. For three days, later runs retry a message that can't be delivered. If the process is killed
 * before the receiver's answer is recorded, the next run sends the message again, with the same id.
 */
export async function deliver({
  outbox,
  ...options
}: DeliveryOptions & { outbox: Outbox }): Promise<DeliveryResult> {
  const { clock, signal, logger } = options;
  const result = { sent: 0, postponed: 0, undelivered: 0 };
  const problems = new Set<string>();
  /** Recipients whose later messages must not overtake a failed one, and receivers that can't be reached. */
  const failed = new Set<string>();
  const send = createSend(options);
  outbox.removeEnded(new Date(clock.now().getTime() - keepMs));
  for (const { content, mayHaveArrived, ...message } of outbox.listWaiting()) {
    signal.throwIfAborted();
    const to = message.recipient.startsWith("mailto:") ? "mail" : "webhook";
    const receiver = to === "mail" ? to : message.recipient;
    if (failed.has(receiver) || failed.has(message.recipient)) {
      result.postponed += 1;
      continue;
    }
    outbox.recordStart(message.id);
    const failure = await send({ ...message, digest: JSON.parse(content) as Digest });
    const now = clock.now();
    const fields = { message: message.id, to };
    if (failure === undefined) {
      outbox.recordSent(message.id, now);
      result.sent += 1;
      logger.info("Sent a notification.", fields);
      continue;
    }
    const { reason: problem, isPermanent, isUnreachable } = failure;
    problems.add(problem);
    if (isUnreachable) failed.add(receiver);
    if (isPermanent || now.getTime() - message.createdAt.getTime() >= giveUpMs) {
      outbox.giveUp(message.id, problem, now);
      result.undelivered += 1;
      logger.warn(`A notification was not delivered and will not be retried: ${problem}`, fields);
      continue;
    }
    failed.add(message.recipient);
    result.postponed += 1;
    outbox.recordFailure(message.id, problem, mayHaveArrived || (failure.mayHaveArrived ?? false));
    logger.warn(`A notification is not delivered yet: ${problem}`, fields);
  }
  return { ...result, problems: [...problems] };
}

/** Returns a function that sends one message immediately. The function returns the failure, if any. */
export function createSend(
  options: DeliveryOptions,
): (message: Message) => Promise<DeliveryFailure | undefined> {
  const { settings, signal, timeoutMs = 30_000 } = options;
  const attach = createAttach(options);
  return async (message) => {
    const { digest, recipient } = message;
    const to = addressOf(recipient);
    try {
      if (recipient.startsWith("webhook:")) {
        const { postWebhook } = await import("./post-webhook.ts");
        return await postWebhook(message, getWebhook(settings, to), { signal, timeoutMs });
      }
      if (!isMailAddress(to))
        return { reason: `${JSON.stringify(to)} is not a mail address.`, isPermanent: true };
      const sendMail = await openMailer(settings, { signal, timeoutMs });
      const attached = await attach(digest);
      const failure = await sendMail({ ...message, ...attached, to });
      if (!failure?.isPermanent || attached.attachments.length === 0) return failure;
      // The server may have rejected the mail because of its files.
      const rules = attached.attachments.map(({ rule }) => rule);
      const reduced = noteMissing(digest, rules, "the mail server did not take");
      return await sendMail({ ...message, digest: reduced, attachments: [], to });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { reason: error.message, isUnreachable: true };
    }
  };
}

/** @throws {ConfigError} if the settings or the webhook of a recipient are missing */
export async function assertReachable(recipient: string, settings: Settings): Promise<void> {
  if (recipient.startsWith("webhook:")) getWebhook(settings, addressOf(recipient));
  else await openMailer(settings);
}

function addressOf(recipient: string): string {
  return recipient.replace(/^(mailto|webhook):/, "");
}
