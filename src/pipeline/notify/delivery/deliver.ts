import { randomUUID } from "node:crypto";
import { ConfigError, type Settings } from "../../../config/settings.ts";
import type { DueMessage, Outbox } from "../../../state/data/outbox.ts";
import type { Clock } from "../../../util/clock.ts";
import type { Logger } from "../../../util/logger.ts";
import { isMailAddress } from "../../../util/text/mail-address.ts";
import { type Attachment, type Digest, unpackContent } from "../messages/digest.ts";
import type { DeliveryFailure } from "./delivery-failure.ts";
import { postWebhook } from "./post-webhook.ts";
import { Mailer } from "./smtp.ts";
import { readWebhooks } from "./webhooks.ts";

/** Result of a delivery, in numbers of messages. */
export interface Delivered {
  sent: number;
  /** Messages that a later run will try again. */
  postponed: number;
  /** Messages that were abandoned. */
  undelivered: number;
  /** Distinct reasons why messages were not sent, without secrets. */
  problems: string[];
}

export interface DeliveryOptions {
  settings: Settings;
  clock: Clock;
  signal: AbortSignal;
  /** Timeout for one mail, in milliseconds. @default 60_000 */
  mailMs?: number;
  /** Timeout for one webhook, in milliseconds. @default 10_000 */
  postMs?: number;
}

const hourMs = 3_600_000;
/** Pause after each failure; after the fourth, the last value repeats. */
const backoffMs = [5 / 60, 0.5, 2, 6].map((hours) => hours * hourMs);
const longestPauseMs = 6 * hourMs;
const giveUpMs = 72 * hourMs;
const keepMs = 30 * 24 * hourMs;

/**
 * Sends the messages that are due. Later runs retry a message that can't be delivered, for three days. If the
 * process is killed after the receiver's answer but before it is recorded, the message is sent twice, with the same id.
 */
export async function deliver({
  outbox,
  logger,
  ...options
}: DeliveryOptions & { outbox: Outbox; logger: Logger }): Promise<Delivered> {
  const { clock, signal } = options;
  const result = { sent: 0, postponed: 0, undelivered: 0 };
  const problems = new Set<string>();
  const unreachable = new Map<string, DeliveryFailure>();
  const sender = new Sender(options);
  outbox.removeEnded(new Date(clock.now().getTime() - keepMs));
  for (const message of outbox.listDue(clock.now())) {
    signal.throwIfAborted();
    const [kind, receiver] = receiverOf(message.recipient);
    const isLastAttempt = clock.now().getTime() >= message.createdAt.getTime() + giveUpMs;
    // The last attempt is always made, so no message is abandoned just because another one failed.
    const known = isLastAttempt ? undefined : unreachable.get(receiver);
    const failure = known ?? (await sender.send(message));
    const now = clock.now();
    const fields = { message: message.id, to: kind };
    if (failure === undefined) {
      outbox.recordSent(message.id, now);
      result.sent += 1;
      logger.info("Sent a notification.", fields);
      continue;
    }
    const { reason, isPermanent, isUnreachable } = failure;
    problems.add(reason);
    if (isUnreachable) unreachable.set(receiver, failure);
    if (isPermanent || isLastAttempt) {
      outbox.giveUp(message.id, reason, now);
      result.undelivered += 1;
      logger.warn(`A notification is not delivered, and is given up: ${reason}`, fields);
      continue;
    }
    result.postponed += 1;
    // A message that was not tried stays due, so the next run begins with it.
    if (known) continue;
    outbox.recordFailure(message.id, { problem: reason, nextAttemptAt: nextAttempt(message, failure, now) });
    logger.warn(`A notification is not delivered yet: ${reason}`, fields);
  }
  return { ...result, problems: [...problems] };
}

/** Sends one message immediately. @returns the reason if it failed, as a sentence without secrets */
export async function sendNow(
  recipient: string,
  digest: Digest,
  attachments: readonly Attachment[],
  options: DeliveryOptions,
): Promise<string | undefined> {
  const message = { id: randomUUID(), recipient, createdAt: options.clock.now(), digest, attachments };
  return (await new Sender(options).sendDigest(message))?.reason;
}

function nextAttempt(
  { createdAt, attempts }: DueMessage,
  { retryAfterMs = 0 }: DeliveryFailure,
  now: Date,
): Date {
  const backoff = backoffMs[Math.min(attempts, backoffMs.length - 1)] ?? longestPauseMs;
  const pauseMs = Math.max(backoff, Math.min(retryAfterMs, longestPauseMs));
  return new Date(Math.min(now.getTime() + pauseMs, createdAt.getTime() + giveUpMs));
}

/** Returns a recipient's kind and the receiver it is reached through: the mail server or its webhook. */
function receiverOf(recipient: string): [kind: string, receiver: string] {
  const kind = recipient.startsWith("mailto:") ? "mail" : "webhook";
  return [kind, kind === "mail" ? kind : recipient];
}

class Sender {
  readonly #options: DeliveryOptions;
  #mailer: Promise<Mailer> | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  send({ content, ...message }: DueMessage): Promise<DeliveryFailure | undefined> {
    return this.sendDigest({ ...message, ...unpackContent(content) });
  }

  async sendDigest(message: {
    id: string;
    recipient: string;
    createdAt: Date;
    digest: Digest;
    attachments: readonly Attachment[];
  }): Promise<DeliveryFailure | undefined> {
    const to = message.recipient.replace(/^(mailto|webhook):/, "");
    try {
      const [kind] = receiverOf(message.recipient);
      return await (kind === "mail" ? this.#mail({ ...message, to }) : this.#post({ ...message, to }));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { reason: error.message, isUnreachable: true };
    }
  }

  async #mail(mail: Parameters<Mailer["send"]>[0]): Promise<DeliveryFailure | undefined> {
    if (!isMailAddress(mail.to))
      return { reason: `${JSON.stringify(mail.to)} is not a mail address.`, isPermanent: true };
    const { settings, signal, mailMs = 60_000 } = this.#options;
    this.#mailer ??= Mailer.open(settings, mailMs);
    return (await this.#mailer).send(mail, signal);
  }

  async #post(post: Parameters<typeof postWebhook>[0]): Promise<DeliveryFailure | undefined> {
    const { settings, signal, postMs = 10_000 } = this.#options;
    const webhook = readWebhooks(settings).get(post.to);
    if (webhook) return postWebhook(post, webhook, { signal, postMs });
    return { reason: `No webhook ${JSON.stringify(post.to)} is stored. Add it: venue notify add ${post.to}` };
  }
}
