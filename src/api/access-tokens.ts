import type { StoredToken, TokenStore } from "../state/client/token-store.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { ApiClients, TokenAnswer } from "./endpoints/api-clients.ts";
import { CredentialsRefusedError, ServiceRefusedError, TokenNotGivenError } from "./errors.ts";
import type { Secrets } from "./transport/secrets.ts";
import type { TokenRefusal, TokenSource, TokenVerdict } from "./transport/steps/auth-step.ts";

/** An access token is valid for 24 hours where the answer does not say otherwise. */
const usualLifetimeSeconds = 24 * 3600;
/** A token is renewed this long before it ends, or at half its life if that is shorter. */
const renewEarlyMs = 10 * 60_000;
/** How often to look whether another process has renewed the token. */
const lookAgainMs = 200;
/** What a request for a token is answered with where the client or its secret is not accepted. */
const refusingCredentials = [400, 401, 403, 422];
/** Tokens that one request may be refused with, however well they served others. */
const refusalLimit = 50;
/** A token that came so lately has not ended: what is forbidden with it would be with any other. */
const newMs = 10 * 60_000;

export interface AccessTokensOptions {
  store: TokenStore;
  apiClients: ApiClients;
  clientId: string;
  getSecret(): string | Promise<string>;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
}

/** The access token that all processes share: kept with its expiry, renewed by one process at a time. */
export class AccessTokens implements TokenSource {
  readonly #options: AccessTokensOptions;
  /** By generation: when the last request that was accepted with it was sent, on the monotonic clock. */
  readonly #acceptedMs = new Map<number, number>();
  /** Endpoints that took a token. */
  readonly #served = new Set<string>();
  /** Endpoints that did not take a new one either, while others took theirs: it counts as long as they never took one. */
  readonly #refusing = new Set<string>();

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  get clientId(): string {
    return this.#options.clientId;
  }

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
      await clock.sleep(lookAgainMs, signal);
    }
  }

  accept(generation: number, sentMs: number, endpoint: string): void {
    this.#served.add(endpoint);
    if (!this.#acceptedMs.has(generation)) this.#options.store.accept(generation);
    this.#acceptedMs.set(generation, Math.max(this.#acceptedMs.get(generation) ?? 0, sentMs));
  }

  isNew(generation: number): boolean {
    const token = this.#options.store.find();
    // One that came later than now came before the clock was set back: it may be of any age.
    return token?.generation === generation && Math.abs(Date.now() - token.storedAt) < newMs;
  }

  judge(refusals: readonly TokenRefusal[], endpoint: string): TokenVerdict {
    const verdict = this.#judge(refusals, endpoint);
    if (verdict === "request refused") this.#refusing.add(endpoint);
    return verdict;
  }

  #judge(refusals: readonly TokenRefusal[], endpoint: string): TokenVerdict {
    const last = refusals.at(-1)?.generation;
    if (last === undefined) return "renew";
    // What is not granted is not granted to the next token either.
    if (this.#refusing.has(endpoint) && this.isNew(last) && !this.#served.has(endpoint))
      return "request refused";
    if (refusals.length === 1) return "renew";
    // Where a token went on serving others, this request is what is refused.
    const servedOthers = refusals.some(
      ({ generation, atMs }) => (this.#acceptedMs.get(generation) ?? 0) > atMs,
    );
    if (servedOthers || refusals.length > refusalLimit) return "request refused";
    const { generation = 0, acceptedGeneration = 0 } = this.#options.store.find() ?? {};
    if (generation !== last || acceptedGeneration >= last) return "renew";
    // The one before may have been accepted until now: then it is not for sure that all is refused. Nor is it where an
    // endpoint refuses that never took a token, while others did: credentials grant some scopes only.
    const isPartial = this.#served.size > 0 && !this.#served.has(endpoint);
    return acceptedGeneration >= last - 1 || isPartial ? "request refused" : "credentials refused";
  }

  /**
   * Renews the token, if no one else does.
   * @param usable the present one, if it still serves: then a service that fails now costs nothing yet
   * @returns whether there is a new one
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
        `the access token can't be renewed now, the present one goes on: ${(error as Error).message}`,
      );
      return false;
    }
  }

  async #request(signal: AbortSignal | undefined): Promise<TokenAnswer> {
    const { apiClients, clientId, getSecret } = this.#options;
    try {
      return await apiClients.requestToken({ clientSecret: await getSecret(), signal });
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      const { method, path, status, answerText } = error;
      const answer = { status, text: answerText };
      if (refusingCredentials.includes(status))
        throw new CredentialsRefusedError({ method, path }, clientId, answer);
      throw new TokenNotGivenError({ method, path }, answer, { cause: error });
    }
  }
}
