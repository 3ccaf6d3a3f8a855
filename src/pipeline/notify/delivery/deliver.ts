import { randomUUID } from "node:crypto";
import { ConfigError } from "../../../config/settings.ts";
import type { DueMessage, Outbox } from "../../../state/data/outbox.ts";
import { isMailAddress } from "../../../util/text/mail-address.ts";
import { createAttach, noteMissing } from "../messages/attach-files.ts";
import { type Content, parseContent } from "../messages/digest.ts";
import type { ReadOnlyWorkspace } from "../rules/for-each-rule.ts";
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

export interface DeliveryOptions extends ReadOnlyWorkspace {
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
/** A message that is older than `giveUpMs` by more than this is abandoned without a last attempt. */
const lastAttemptMs = hourMs;
const tooOld: DeliveryFailure = { reason: "The message is more than three days old." };
const keepMs = 30 * 24 * hourMs;

/**
 * Sends the messages that are due. Later runs retry a message that can't be delivered, for three days. If the
 * process is killed after the receiver's answer but before it is recorded, the message is sent twice, with the same id.
 */
export async function deliver({
  outbox,
  ...options
}: DeliveryOptions & { outbox: Outbox }): Promise<Delivered> {
  const { clock, signal, logger } = options;
  const result = { sent: 0, postponed: 0, undelivered: 0 };
  const problems = new Set<string>();
  /** By receiver if it can't be reached, otherwise by recipient, whose later messages must not overtake. */
  const failed = new Map<string, DeliveryFailure>();
  const sender = new Sender(options);
  outbox.removeEnded(new Date(clock.now().getTime() - keepMs));
  for (const message of outbox.listDue(clock.now())) {
    signal.throwIfAborted();
    const [kind, receiver] = receiverOf(message.recipient);
    const ageMs = clock.now().getTime() - message.createdAt.getTime();
    const isLastAttempt = ageMs >= giveUpMs;
    // The last attempt is always made, so no message is abandoned just because another one failed.
    const blocked = isLastAttempt ? undefined : (failed.get(receiver) ?? failed.get(message.recipient));
    const known = ageMs > giveUpMs + lastAttemptMs ? tooOld : blocked;
    if (!known) outbox.recordStart(message.id);
    const failure = known ?? (await sender.send(message));
    const now = clock.now();
    const fields = { message: message.id, to: kind };
    if (failure === undefined) {
      outbox.recordSent(message.id, now);
      result.sent += 1;
      logger.info("Sent a notification.", fields);
      continue;
    }
    const { reason: problem, isPermanent, isUnreachable } = failure;
    const mayHaveArrived = message.mayHaveArrived || (failure.mayHaveArrived ?? false);
    problems.add(problem);
    if (isUnreachable) failed.set(receiver, failure);
    if (isPermanent || isLastAttempt) {
      outbox.giveUp(message.id, { problem, mayHaveArrived }, now);
      result.undelivered += 1;
      logger.warn(`A notification is not delivered, and is given up: ${problem}`, fields);
      continue;
    }
    failed.set(message.recipient, failure);
    result.postponed += 1;
    // A message that was not tried stays due, so the next run begins with it.
    if (known) continue;
    const nextAttemptAt = nextAttempt(message, failure, now);
    outbox.recordFailure(message.id, { problem, nextAttemptAt, mayHaveArrived });
    logger.warn(`A notification is not delivered yet: ${problem}`, fields);
  }
  return { ...result, problems: [...problems] };
}

/** Sends one message immediately. @returns the reason if it failed, as a sentence without secrets */
export async function sendNow(
  recipient: string,
  content: Content,
  options: DeliveryOptions,
): Promise<string | undefined> {
  const message = { id: randomUUID(), recipient, createdAt: options.clock.now() };
  return (await new Sender(options).sendContent(message, content))?.reason;
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

interface Envelope {
  id: string;
  recipient: string;
  createdAt: Date;
}

class Sender {
  readonly #options: DeliveryOptions;
  readonly #attach: ReturnType<typeof createAttach>;
  #mailer: Promise<Mailer> | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#attach = createAttach(options);
  }

  send({ content, ...message }: DueMessage): Promise<DeliveryFailure | undefined> {
    return this.sendContent(message, parseContent(content));
  }

  async sendContent(message: Envelope, content: Content): Promise<DeliveryFailure | undefined> {
    const to = message.recipient.replace(/^(mailto|webhook):/, "");
    try {
      const [kind] = receiverOf(message.recipient);
      return await (kind === "mail"
        ? this.#mail({ ...message, to }, content)
        : this.#post({ ...message, to, digest: content.digest }));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { reason: error.message, isUnreachable: true };
    }
  }

  /** Sends a mail, without its files if they might be why the server does not take it. */
  async #mail(mail: Envelope & { to: string }, content: Content): Promise<DeliveryFailure | undefined> {
    if (!isMailAddress(mail.to))
      return { reason: `${JSON.stringify(mail.to)} is not a mail address.`, isPermanent: true };
    const { settings, signal, mailMs = 60_000 } = this.#options;
    this.#mailer ??= Mailer.open(settings, mailMs);
    const mailer = await this.#mailer;
    const attached = await this.#attach(content);
    const failure = await mailer.send({ ...mail, ...attached }, signal);
    if (!failure?.isAboutContent || attached.attachments.length === 0) return failure;
    const missing = new Map(content.attach.map((rule) => [rule, "the mail server did not take it"]));
    const digest = noteMissing(content.digest, missing);
    return await mailer.send({ ...mail, digest, attachments: [] }, signal);
  }

  async #post(post: Parameters<typeof postWebhook>[0]): Promise<DeliveryFailure | undefined> {
    const { settings, signal, postMs = 10_000 } = this.#options;
    const webhook = readWebhooks(settings).get(post.to);
    if (webhook) return postWebhook(post, webhook, { signal, postMs });
    return { reason: `No webhook ${JSON.stringify(post.to)} is stored. Add it: venue notify add ${post.to}` };
  }
}
