import { type Dispatcher, request } from "undici";
import { classifyFault } from "../../../util/connection-fault.ts";
import { createHttpAgent } from "../../../util/http-agent.ts";
import { parseRetryAfterMs } from "../../../util/http-values.ts";
import type { Digest } from "../messages/digest.ts";
import { type DeliveryFailure, mayHaveArrived } from "./delivery-failure.ts";
import { toBody } from "./webhook-bodies.ts";
import type { Webhook } from "./webhooks.ts";

interface Post {
  id: string;
  /** Name of the webhook. */
  to: string;
  createdAt: Date;
  digest: Digest;
}

/** Statuses with which a receiver is busy or requests another attempt. */
const busyStatuses = [408, 425, 429];
/** Statuses that the operator can fix, with a permission at the receiver or another URL. */
const loginStatuses = [401, 403];

/**
 * Sends a digest to a webhook. Redirects are not followed, because they could lead anywhere.
 * @throws the signal's reason if it aborts; the message may have been sent then
 */
export async function postWebhook(
  post: Post,
  { url, form }: Webhook,
  { signal, postMs }: { signal: AbortSignal; postMs: number },
): Promise<DeliveryFailure | undefined> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(postMs)]);
    const response = await request(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": post.id },
      body: JSON.stringify(toBody(form, post)),
      signal: limited,
      dispatcher: createHttpAgent({ pipelining: 0 }),
    });
    // Only the status matters, so the body is not read.
    response.body.on("error", () => {}).destroy();
    return toFailure(post.to, response);
  } catch (error) {
    signal.throwIfAborted();
    const { name, code = name } = error as NodeJS.ErrnoException;
    return {
      reason: `The webhook ${post.to} ${describe(error as Error, postMs)}`,
      isUnreachable: true,
      mayHaveArrived: mayHaveArrived(code),
    };
  }
}

function toFailure(name: string, response: Dispatcher.ResponseData): DeliveryFailure | undefined {
  const { statusCode: status, headers } = response;
  if (status < 300) return undefined;
  const isRefusal = status < 500 && !busyStatuses.includes(status);
  const redirect = status < 400 ? " (redirects are not followed)" : "";
  const hint = isRefusal ? ` If its URL has changed, run: venue notify add ${name}` : "";
  return {
    reason: `The webhook ${name} answers with status ${status}${redirect}.${hint}`,
    isPermanent: isRefusal && status >= 400 && !loginStatuses.includes(status),
    isUnreachable: status === 429,
    retryAfterMs: parseRetryAfterMs(headers["retry-after"], headers.date),
  };
}

/** The library's messages are not used, because they may contain the URL. */
function describe(error: Error, postMs: number): string {
  if (error.name === "TimeoutError") return `did not answer within ${postMs / 1000} s.`;
  const { name, code = name } = error as NodeJS.ErrnoException;
  const { problem, nextStep, isTransient } = classifyFault(Object.assign(new Error(name), { code }));
  return `${problem}.${isTransient ? "" : ` ${nextStep.replace("ROOT", "its URL")}`}`;
}
