import { request } from "undici";
import { createHttpAgent } from "../../../util/http-agent.ts";
import { fillTemplate } from "./body-template.ts";
import { type DeliveryFailure, type Message, toConnectionFailure } from "./message.ts";
import { renderBody } from "./render-message.ts";
import type { Webhook } from "./webhooks.ts";

/** Statuses after which a retry may succeed: the receiver is busy, or the operator can fix a permission or the URL. */
const temporaryStatuses = [401, 403, 408, 425, 429];

/**
 * Sends a message to a webhook. Redirects are not followed, because they could lead anywhere.
 * @throws the signal's reason if it aborts; the message may have been sent by then
 */
export async function postWebhook(
  message: Message,
  { name, url, ...webhook }: Webhook & { name: string },
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<DeliveryFailure | undefined> {
  const isJson = webhook.form !== "body" || webhook.body.isJson;
  try {
    const { statusCode, body } = await request(url, {
      method: "POST",
      headers: {
        "Content-Type": isJson ? "application/json" : "text/plain; charset=utf-8",
        "Idempotency-Key": message.id,
      },
      body:
        webhook.form === "body"
          ? fillTemplate(webhook.body, message)
          : JSON.stringify(renderBody(webhook.form, message)),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      dispatcher: createHttpAgent({ pipelining: 0 }),
    });
    // Only the status matters, so the body is not read.
    body.on("error", () => {}).destroy();
    if (statusCode < 300) return undefined;
    const redirect = statusCode < 400 ? " (redirects are not followed)" : "";
    const hint = statusCode < 500 ? ` If its URL has changed, run: venue notify add ${name}` : "";
    return {
      reason: `The webhook ${name} answers with status ${statusCode}${redirect}.${hint}`,
      isPermanent: statusCode >= 400 && statusCode < 500 && !temporaryStatuses.includes(statusCode),
      isUnreachable: statusCode === 429,
    };
  } catch (error) {
    signal.throwIfAborted();
    const failure = toConnectionFailure(`The webhook ${name}`, "its URL", error as NodeJS.ErrnoException);
    const isLate = (error as Error).name === "TimeoutError";
    return isLate
      ? { ...failure, reason: `The webhook ${name} did not answer within ${timeoutMs / 1000} s.` }
      : failure;
  }
}
