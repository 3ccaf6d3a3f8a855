import { randomBytes } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { RefusalError } from "./refusal-error.ts";
import type { AddRoute } from "./routes.ts";
import type { Service, ServiceEnv } from "./service.ts";

export interface ApiClient {
  clientId: string;
  clientSecret: string;
  oneTimeCode: string;
  /** Groups that the client may read. */
  groupIds: readonly number[];
}

/** Lifetime of a token, on the real clock. */
const tokenSeconds = 86_400;

/** Controls access by secret (shown only once), token and group. */
export class ClientAccess {
  readonly #client: ApiClient;
  readonly #tokenExpiries = new Map<string, number>();
  #isCodeUsed = false;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** @throws {RefusalError} 404 for an unknown client, 403 for a wrong code, 410 once the secret was shown */
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

/** Admits only requests with a valid token. */
export function requireToken({ access }: Service): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    if (!access.isValid(c.req.header("authorization"))) {
      c.header("WWW-Authenticate", "Bearer");
      throw new RefusalError(401, "invalid_token", "The access token is missing, wrong or expired.");
    }
    await next();
  };
}

/**
 * Rejects requests beyond a rate in any sliding window with 429; token and secret requests count, too.
 * @param ratePerSecond may be below 1, e.g. 0.5 for one request in any two seconds
 */
export function rateLimit(ratePerSecond: number): MiddlewareHandler<ServiceEnv> {
  const capacity = Math.max(1, Math.floor(ratePerSecond));
  const windowMs = (capacity / ratePerSecond) * 1000;
  /** Instants of the newest grants, oldest first. */
  const grantedAtMs: number[] = [];
  return async (c, next) => {
    const { at } = c.get("record");
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

/** Credentials: `api-clients/…`, directly below the base path. */
export function addApiClientRoutes(add: AddRoute, { access }: Service): void {
  const secret = { client_id: z.string(), one_time_code: z.string().min(1) };
  add("GET", "/api-clients/:client_id/secret", secret, ({ client_id: clientId, one_time_code: code }) => ({
    client_secret: access.takeSecret(clientId, code),
  }));

  const credentials = { client_id: z.string(), client_secret: z.string() };
  add("POST", "/api-clients/token", credentials, ({ client_id: clientId, client_secret: clientSecret }) => ({
    access_token: access.issueToken(clientId, clientSecret),
    token_type: "Bearer",
    expires_in: tokenSeconds,
  }));
}
