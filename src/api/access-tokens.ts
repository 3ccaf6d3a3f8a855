import type { StoredToken, TokenStore } from "../state/client/token-store.ts";
import { type Clock, monotonicMs } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import {
  CredentialsRefusedError,
  type RequestTarget,
  ServiceRefusedError,
  TokenRequestRefusedError,
} from "./errors.ts";
import type { Secrets } from "./transport/secrets.ts";

/** Assumed lifetime of a token if the response does not contain one (interface.md, Authentication). */
const usualLifetimeSeconds = 24 * 3600;
/** Tokens are renewed this long before they expire, or halfway through their lifetime if that is later. */
const renewEarlyMs = 10 * 60_000;
const tokenCheckMs = 200;
/** Response statuses of a token request with an invalid client id or secret. */
const refusingCredentials = [400, 401, 403, 422];
/** A request fails after this many refused tokens, even if the tokens work for other requests. */
const refusalLimit = 50;
/** A token younger than this cannot have expired, so a 403 would not go away with another token. */
const newMs = 10 * 60_000;

/** A new access token, with its lifetime if the service reports one. */
export interface TokenResponse {
  accessToken: string;
  lifetimeSeconds: number | undefined;
}

export interface AccessTokensOptions {
  store: TokenStore;
  requestToken(input: { clientSecret: string; signal: AbortSignal | undefined }): Promise<TokenResponse>;
  clientId: string;
  getSecret(): string | Promise<string>;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
}

export interface TokenUse {
  /** Generation of the last refused token. The next attempt must use a different one. */
  refused?: number;
  /** Responses with status 401; `atMs` is on the monotonic clock. */
  refusals: { generation: number; atMs: number }[];
  /** Id of the API client if its credentials are invalid: even a new token was refused. */
  refusedClientId?: string;
}

/**
 * Meaning of a 401:
 * - `renew`: the token worked before, another process has a new token, or this is the first refusal
 * - `request refused`: the request is not permitted, because tokens work, or recently worked, for other
 *   requests
 * - `credentials refused`: even a new token was refused on its first use
 */
type Refusal = "renew" | "request refused" | "credentials refused";

/** The access token shared by all processes. It is stored with its expiry, and renewed by one process at a time. */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  /** Time at which the latest accepted request was sent, keyed by token generation, on the monotonic clock. */
  readonly #acceptedMs = new Map<number, number>();
  readonly #served = new Set<string>();
  /**
   * Endpoints that refused even a new token, while other endpoints accepted it. Ignored after they accept a
   * token.
   */
  readonly #refusing = new Set<string>();

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /**
   * Returns a token that the service should accept.
   * @param refused generation of a token that the service refused; the returned token is a different one
   */
  async get(signal: AbortSignal | undefined, refused?: number): Promise<StoredToken> {
    const { store, secrets, clock } = this.#options;
    while (true) {
      signal?.throwIfAborted();
      const token = store.find();
      const usable =
        token && token.generation !== refused && Date.now() < token.expiresAt ? token : undefined;
      if (usable) secrets.add(usable.accessToken);
      if (usable && Date.now() < usable.renewAt) return usable;
      const renewed = await this.#renew(token?.generation ?? 0, usable, signal);
      if (renewed) continue;
      if (usable) return usable;
      await clock.sleep(tokenCheckMs, signal);
    }
  }

  /**
   * Returns true if the request should be sent again with another token. After a 401, this is repeated as long
   * as each new token works for a while. After a 403, it is done once, unless the token is new, because some
   * services respond to expired tokens with 403.
   * @param sentMs when the request was sent, on the monotonic clock
   */
  shouldReplace(
    { generation }: StoredToken,
    status: number,
    sentMs: number,
    { method, path }: RequestTarget,
    use: TokenUse,
  ): boolean {
    const endpoint = `${method} ${path.replace(/\?.*/, "")}`;
    if (status >= 200 && status < 300) this.#accept(generation, sentMs, endpoint);
    let isRefused = status === 403 && !this.#isNew(generation);
    if (status === 401) {
      use.refusals.push({ generation, atMs: monotonicMs() });
      const outcome = this.#classify(use.refusals, endpoint);
      if (outcome === "request refused") this.#refusing.add(endpoint);
      if (outcome === "credentials refused") use.refusedClientId = this.#options.clientId;
      isRefused = outcome === "renew";
    }
    if (isRefused) use.refused = generation;
    return isRefused;
  }

  #accept(generation: number, sentMs: number, endpoint: string): void {
    this.#served.add(endpoint);
    if (!this.#acceptedMs.has(generation)) this.#options.store.accept(generation);
    this.#acceptedMs.set(generation, Math.max(this.#acceptedMs.get(generation) ?? 0, sentMs));
  }

  #isNew(generation: number): boolean {
    const token = this.#options.store.find();
    // If the storage time is in the future, the clock was set back after it, so the token's age is unknown.
    return token?.generation === generation && Math.abs(Date.now() - token.storedAt) < newMs;
  }

  #classify(refusals: TokenUse["refusals"], endpoint: string): Refusal {
    const last = refusals.at(-1)?.generation;
    if (last === undefined) return "renew";
    // Another token would not help, because this endpoint has refused a new token and never accepted one.
    if (this.#refusing.has(endpoint) && this.#isNew(last) && !this.#served.has(endpoint))
      return "request refused";
    if (refusals.length === 1) return "renew";
    // The tokens still work for other requests, so only this request is refused.
    const servedOthers = refusals.some(
      ({ generation, atMs }) => (this.#acceptedMs.get(generation) ?? 0) > atMs,
    );
    if (servedOthers || refusals.length > refusalLimit) return "request refused";
    const { generation = 0, acceptedGeneration = 0 } = this.#options.store.find() ?? {};
    if (generation !== last || acceptedGeneration >= last) return "renew";
    // The credentials may still be valid if the previous token was accepted until now. They may also be valid
    // if only this endpoint refuses tokens and never accepted one, because credentials may have limited scopes.
    const isPartial = this.#served.size > 0 && !this.#served.has(endpoint);
    return acceptedGeneration >= last - 1 || isPartial ? "request refused" : "credentials refused";
  }

  /**
   * Renews the token unless another process is doing so.
   * @param usable the current token, if still valid; a failed renewal is then only logged
   * @returns true if there is a new token
   */
  async #renew(
    generation: number,
    usable: StoredToken | undefined,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { store, logger } = this.#options;
    const renewal = store.claim(generation);
    if (!renewal) return false;
    try {
      const { accessToken, lifetimeSeconds = usualLifetimeSeconds } = await this.#request(signal);
      const lifetimeMs = lifetimeSeconds * 1000;
      const expiresAt = Date.now() + lifetimeMs;
      renewal.store(accessToken, expiresAt, expiresAt - Math.min(renewEarlyMs, lifetimeMs / 2));
      return true;
    } catch (error) {
      if (!usable || signal?.aborted || error instanceof CredentialsRefusedError) {
        renewal.giveUp();
        throw error;
      }
      renewal.pause();
      logger.warn(
        `The access token could not be renewed; the current one is still valid: ${(error as Error).message}`,
      );
      return false;
    }
  }

  async #request(signal: AbortSignal | undefined): Promise<TokenResponse> {
    const { clientId, getSecret, requestToken } = this.#options;
    try {
      return await requestToken({ clientSecret: await getSecret(), signal });
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      const { method, path, status, responseText } = error;
      const refusal = { status, text: responseText };
      if (refusingCredentials.includes(status))
        throw new CredentialsRefusedError({ method, path }, clientId, refusal);
      throw new TokenRequestRefusedError({ method, path }, refusal, { cause: error });
    }
  }
}
