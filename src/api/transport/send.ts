import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { RequestBudget } from "../../state/client/request-budget.ts";
import type { StoredToken } from "../../state/client/token-store.ts";
import { awaitUnlessAborted } from "../../util/abort-signals.ts";
import { type Clock, monotonicMs } from "../../util/clock.ts";
import { parseHttpDate } from "../../util/http-values.ts";
import type { Logger } from "../../util/logger.ts";
import type { RetryOptions } from "../../util/retry-delays.ts";
import type { AccessTokens, TokenUse } from "../access-tokens.ts";
import { type Refusals, waitForTurn } from "./budget.ts";
import type { Connections } from "./connections.ts";
import { type CacheHit, computeProduction, type HttpCache } from "./http-cache.ts";
import type { ApiRequest, Production, Sending } from "./request.ts";
import { Attempts } from "./retry.ts";
import type { ServiceAddress } from "./service-address.ts";
import type { Timeouts } from "./timeouts.ts";
import { UploadForm } from "./upload-file.ts";

export interface ApiResponse {
  status: number;
  headers: Headers;
  body: Readable;
  production: Production;
  /** Id of the API client if its credentials are invalid: even a new token was refused. */
  refusedClientId?: string | undefined;
  /** Caches the decoded text, if the service allows it. Call this once the text is known to be JSON. */
  keep(text: string): void;
}

type Headers = Dispatcher.ResponseData["headers"];

/** The parts of a client that its requests share. */
export interface RequestPath {
  address: ServiceAddress;
  budget: RequestBudget;
  refusals: Refusals;
  cache: HttpCache;
  connections: Connections;
  /** Absent for requests that need no access token. */
  tokens?: AccessTokens | undefined;
  retry: Required<RetryOptions>;
  timeouts: Required<Timeouts>;
  clock: Clock;
  logger: Logger;
  /** Called for each request when its first byte is sent. */
  onSent(): void;
  /** Called with the service's time in each response that reports it, in ms since the epoch. */
  onDate(servedAtMs: number): void;
}

/**
 * Returns the response to a request from the cache or the service, regardless of its status. Does not follow
 * redirects.
 * @throws {ConnectionFailedError} if the service can't be reached after all attempts
 * @throws {OutcomeUnknownError} if the response to a command is lost
 */
export async function send(request: ApiRequest, path: RequestPath): Promise<ApiResponse> {
  const { budget, cache, refusals, tokens } = path;
  const attempts = new Attempts(request, path);
  const tokenUse: TokenUse = { refusals: [] };
  while (true) {
    const cached = cache.find(request);
    if (cached?.isFresh) return toApiResponse(cached);

    // Requests a new token before waiting for this request's turn, because the token request takes a turn too.
    const token = await tokens?.get(request.signal, tokenUse.refused);
    const turn = await waitForTurn(request, path);
    if (cache.find(request)?.isFresh) {
      // Another process has cached the response in the meantime.
      budget.release(turn);
      continue;
    }

    const sent = await sendOnce(request, { ...cached?.conditions, ...buildAuthorization(token) }, turn, path);
    if (sent.hasLostTurn) continue;
    if (sent.response === undefined) {
      await attempts.waitAfterError(sent);
      continue;
    }
    const { statusCode: status, headers, body } = sent.response;
    const servedAtMs = headers.age === undefined ? parseHttpDate(String(headers.date)) : undefined;
    if (servedAtMs !== undefined) path.onDate(servedAtMs);
    const pauseMs = refusals.record(status, headers, sent.sentMs);
    if (pauseMs !== undefined) budget.postpone(pauseMs);

    if (token && tokens?.shouldReplace(token, status, sent.sentMs, request.target, tokenUse)) {
      await body.dump();
      continue;
    }
    if (await attempts.waitAfterResponse(sent.response)) continue;

    if (status === 304 && cached) {
      await body.dump();
      const renewed = cache.renew(request, cached, headers, sent);
      if (renewed) return toApiResponse(renewed);
      continue;
    }
    return {
      status,
      headers,
      body,
      production: computeProduction(headers, sent, path.clock),
      refusedClientId: tokenUse.refusedClientId,
      keep: (text) => cache.keep(request, { status, headers, text }, sent),
    };
  }
}

function toApiResponse({ text, headers, production }: CacheHit): ApiResponse {
  return { status: 200, headers, body: Readable.from([Buffer.from(text)]), production, keep: () => {} };
}

function buildAuthorization(token: StoredToken | undefined): Record<string, string> {
  return token ? { authorization: `Bearer ${token.accessToken}` } : {};
}

/** Sends a request once. The budget counts it when its first byte is sent, which may be long after its turn. */
async function sendOnce(
  request: ApiRequest,
  extraHeaders: Record<string, string>,
  turn: number,
  { address, budget, clock, connections, onSent, timeouts }: RequestPath,
): Promise<Sending> {
  const { signal, awaitResponseOnAbort, body, isRepeatable } = request;
  const sending: Sending = {
    wasSent: false,
    hasLostTurn: false,
    startedMs: monotonicMs(),
    sentMs: 0,
    sentAt: 0,
    sentNow: 0,
  };
  const onStart = (connection: Dispatcher.DispatchController) => {
    if (signal.aborted) return connection.abort(signal.reason);
    if (!budget.markSent(turn)) {
      sending.hasLostTurn = true;
      return connection.abort(new Error("the request lost its turn"));
    }
    Object.assign(sending, {
      wasSent: true,
      sentMs: monotonicMs(),
      sentAt: Date.now(),
      sentNow: clock.now().getTime(),
    });
    onSent();
  };
  const response = connections.request(
    {
      origin: address.origin,
      path: request.path,
      method: request.method,
      headers: { ...request.headers, ...extraHeaders },
      // Undici's types don't allow this iterable, but it accepts any, and iterates it again for each attempt.
      body: body instanceof UploadForm ? (body as AsyncIterable<Uint8Array> as Readable) : body,
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyIdleMs,
      signal: awaitResponseOnAbort ? undefined : signal,
    },
    { isRepeatable, onStart },
  );
  try {
    // Undici handles an abort only once it is connected.
    sending.response = await (awaitResponseOnAbort ? response : awaitUnlessAborted(response, signal));
  } catch (error) {
    if (!sending.wasSent) budget.release(turn);
    sending.error = error as Error;
  }
  return sending;
}
