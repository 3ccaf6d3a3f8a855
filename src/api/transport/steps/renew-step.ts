import type { Dispatcher } from "undici";
import type { AnswerStore } from "./answer-store.ts";
import { producedHeader } from "./date-step.ts";
import { PassingHandler } from "./passing-handler.ts";

type KeptAnswer = NonNullable<ReturnType<AnswerStore["get"]>>;
type Headers = Record<string, string | string[] | undefined>;

/** What an answer without a body (304) may say anew of the one that was kept. */
const renewedHeaders = [
  "age",
  "cache-control",
  "date",
  "etag",
  "expires",
  "last-modified",
  producedHeader,
  "vary",
];

/**
 * Makes a kept answer that still holds (304) a new one: with what the service says of it now, the cache keeps it as long
 * as that says. Undici's own cache uses it this once, and forgets it where the service says how long it may be kept. Lies
 * inside the cache.
 */
export function renewStep(store: Pick<AnswerStore, "get">): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const { origin, method, path } = options;
    const headers = options.headers as Record<string, string>;
    const isAsked = "if-none-match" in headers || "if-modified-since" in headers;
    const kept = isAsked ? store.get({ origin: String(origin), method, path, headers }) : undefined;
    return dispatch(options, kept ? new RenewedRequest(handler, kept) : handler);
  };
}

class RenewedRequest extends PassingHandler {
  readonly #kept: KeptAnswer;

  constructor(next: Dispatcher.DispatchHandler, kept: KeptAnswer) {
    super(next);
    this.#kept = kept;
  }

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
    statusText?: string,
  ): void {
    const { etag, headers: before, statusCode, statusMessage, body } = this.#kept;
    const isOther = headers.etag !== undefined && !isSameTag(headers.etag, etag);
    if (status !== 304 || isOther) {
      super.onResponseStart(controller, status, headers, statusText);
      return;
    }
    const { date: _, ...kept } = before;
    super.onResponseStart(controller, statusCode, { ...kept, ...renewed(headers) }, statusMessage);
    for (const chunk of body as Iterable<Buffer>) super.onResponseData(controller, chunk);
  }
}

/** A weak tag is the same as a strong one: compression on the way makes one of the other. */
function isSameTag(one: string | string[], other: string | undefined): boolean {
  return typeof one === "string" && one.replace(/^W\//, "") === other?.replace(/^W\//, "");
}

function renewed(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => renewedHeaders.includes(name)));
}
