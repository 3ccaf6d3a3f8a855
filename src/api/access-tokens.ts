import type { StoredToken, TokenStore } from "../state/client/token-store.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { ApiClients, TokenAnswer } from "./endpoints/api-clients.ts";
import { CredentialsRefusedError } from "./errors/credentials-refused-error.ts";
import { ServiceRefusedError } from "./errors/service-refused-error.ts";
import type { TokenSource } from "./transport/auth-step.ts";
import type { Secrets } from "./transport/secrets.ts";

/** An access token is valid for 24 hours where the answer does not say otherwise. */
const usualLifetimeSeconds = 24 * 3600;
/** A token is renewed this long before it ends, or at half its life if that is shorter. */
const renewEarlyMs = 10 * 60_000;
/** How often to look whether another process has renewed the token. */
const lookAgainMs = 200;

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

  constructor(options: AccessTokensOptions) {
    this.#options = options;
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
      if (!(error instanceof ServiceRefusedError) || ![400, 401, 403, 422].includes(error.status))
        throw error;
      const { method, path, status, answerText } = error;
      throw new CredentialsRefusedError({ method, path }, clientId, { status, text: answerText });
    }
  }
}
