import { randomBytes } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { RefusalError } from "./refusal-error.ts";

/** Credentials, and the groups that the client may read. */
type ApiClient = Record<"clientId" | "clientSecret" | "oneTimeCode", string> & {
  groupIds: readonly number[];
};

/** Lifetime of a token, on the real clock. */
export const tokenSeconds = 86_400;

/** Controls access by secret, which is returned only once, by token and by group. */
export class ClientAccess {
  readonly #client: ApiClient;
  readonly #tokenExpiries = new Map<string, number>();
  #isCodeUsed = false;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /**
   * @throws {RefusalError} 404 for an unknown client, 403 for a wrong code, 410 if the secret was already
   * returned
   */
  takeSecret(clientId: string, code: string): string {
    const { oneTimeCode, clientSecret } = this.#client;
    if (clientId !== this.#client.clientId) throw new RefusalError(404, "unknown_client", "Unknown client.");
    if (code !== oneTimeCode) throw new RefusalError(403, "wrong_code", "The code is wrong.");
    if (this.#isCodeUsed) throw new RefusalError(410, "code_used", "The secret was already retrieved.");
    this.#isCodeUsed = true;
    return clientSecret;
  }

  /** @throws {RefusalError} 401 for wrong credentials */
  issueToken(clientId: string, clientSecret: string): string {
    if (clientId !== this.#client.clientId || clientSecret !== this.#client.clientSecret) {
      throw new RefusalError(401, "invalid_client", "The client identifier or secret is wrong.");
    }
    const token = randomBytes(24).toString("base64url");
    this.#tokenExpiries.set(`Bearer ${token}`, Date.now() + tokenSeconds * 1000);
    return token;
  }

  isValid(authorization = ""): boolean {
    return Date.now() < (this.#tokenExpiries.get(authorization) ?? 0);
  }

  revokeToken(authorization = ""): void {
    this.#tokenExpiries.delete(authorization);
  }

  /** Returns true if the client may read any of the groups. */
  mayRead(groupIds: readonly number[]): boolean {
    return groupIds.some((groupId) => this.#client.groupIds.includes(groupId));
  }
}

/** Accepts only requests with a valid token. */
export function requireToken(access: ClientAccess): MiddlewareHandler {
  return async (c, next) => {
    if (!access.isValid(c.req.header("authorization"))) {
      c.header("WWW-Authenticate", "Bearer");
      throw new RefusalError(401, "invalid_token", "The access token is missing, wrong or expired.");
    }
    await next();
  };
}

/**
 * Rejects requests beyond a rate, in a sliding window, with 429. Includes token and secret requests.
 * @param ratePerSecond may be below 1, e.g. 0.5 for one request in any two seconds
 */
export function rateLimit(ratePerSecond: number): MiddlewareHandler {
  const capacity = Math.max(1, Math.floor(ratePerSecond));
  const windowMs = (capacity / ratePerSecond) * 1000;
  /** Instants of the latest accepted requests, oldest first. */
  const grantedAtMs: number[] = [];
  return async (c, next) => {
    const at = performance.now();
    const [oldest] = grantedAtMs;
    if (grantedAtMs.length === capacity && oldest !== undefined) {
      if (at - oldest < windowMs) {
        c.header("Retry-After", "1");
        throw new RefusalError(429, "rate_limited", `More than ${ratePerSecond} requests per second.`);
      }
      grantedAtMs.shift();
    }
    grantedAtMs.push(at);
    await next();
  };
}
