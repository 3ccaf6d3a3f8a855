import type { Dispatcher } from "undici";
import { shortAnswerText } from "./errors/answer-text.ts";
import type { RequestTarget } from "./errors/api-error.ts";
import { ConnectionFailedError } from "./errors/connection-failed-error.ts";
import { errorOfStatus, isRefusal } from "./errors/error-of-status.ts";
import { LinkRefusedError } from "./errors/link-refused-error.ts";
import { readBody } from "./transport/read-body.ts";
import { Secrets } from "./transport/secrets.ts";
import { retryAfterMs } from "./transport/steps/retry-after.ts";

const longestErrorBytes = 64 * 1024;

/** A download link as errors may show it: without its query, which holds the signature. */
export function linkTarget(url: URL): RequestTarget {
  return { method: "GET", path: url.origin + url.pathname, root: "link" };
}

/** Any refusal but a redirect may come of a signature that has run out; a new link tells. */
export async function linkError(
  url: URL,
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
): Promise<Error> {
  const limits = { limitBytes: longestErrorBytes, isLimitSoft: true };
  const text = await readBody(body, headers["content-encoding"], limits).catch(() => "");
  // Object stores answer with the signature, and what it was made of.
  const retryAfter = retryAfterMs(headers["retry-after"], headers.date);
  const answer = { status, text: shortAnswerText(withoutQuery(text, url)), retryAfterMs: retryAfter };
  return status >= 400 && isRefusal(status)
    ? new LinkRefusedError(linkTarget(url), answer)
    : errorOfStatus(linkTarget(url), true, answer);
}

function withoutQuery(text: string, url: URL): string {
  const signatures = new Secrets();
  for (const value of url.searchParams.values()) if (value.length >= 8) signatures.add(value);
  return signatures.redact(text.replaceAll(/[?&][^\s"'<>]*=[^\s"'<>]*/g, "?[hidden]"));
}

/** What broke a download's connection, unless it was an abort. */
export function linkConnectionError(error: unknown, url: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof Error) || !("code" in error)) return error;
  return new ConnectionFailedError(linkTarget(url), url.host, error);
}
