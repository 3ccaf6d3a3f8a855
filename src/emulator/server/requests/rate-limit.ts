import type { Context, MiddlewareHandler } from "hono";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";
import { findBearerToken } from "./client-access.ts";

/** Rejects requests beyond the agreed rate with 429; token and secret requests count, too. */
export function rateLimit(
  ratePerSecond: number,
  identify: (c: Context<ServiceEnv>) => string | Promise<string>,
): MiddlewareHandler<ServiceEnv> {
  const windows = new Map<string, SlidingWindow>();
  return async (c, next) => {
    const client = await identify(c);
    const window = windows.get(client) ?? new SlidingWindow(ratePerSecond);
    windows.set(client, window);
    if (!window.grants(c.get("record").at)) {
      c.header("Retry-After", "1");
      throw new RefusalError(429, "rate_limited", `More than ${ratePerSecond} requests per second.`);
    }
    await next();
  };
}

/** Identifies the client by token, path or body; all unknown clients count as one. */
export function identifyClient({ access }: EmulatedService): (c: Context<ServiceEnv>) => Promise<string> {
  return async (c) => {
    const byToken = access.findClientId(findBearerToken(c.req.header("authorization")));
    if (byToken !== undefined) return byToken;
    const byPath = /\/api-clients\/([^/]+)\/secret$/.exec(c.req.path)?.[1];
    if (access.knows(byPath)) return byPath;
    const body: unknown = c.req.path.endsWith("/api-clients/token")
      ? await c.req.json().catch(() => undefined)
      : undefined;
    const byBody =
      typeof body === "object" && body !== null && "client_id" in body ? body.client_id : undefined;
    return access.knows(byBody) ? byBody : "unknown";
  };
}

/** Grants a limited number of requests in any sliding window. */
class SlidingWindow {
  readonly #capacity: number;
  readonly #windowMs: number;
  /** Instants of the newest grants, oldest first. */
  readonly #grantedAtMs: number[] = [];

  /** @param ratePerSecond may be below 1, e.g. 0.5 for one request in any two seconds */
  constructor(ratePerSecond: number) {
    this.#capacity = Math.max(1, Math.floor(ratePerSecond));
    this.#windowMs = (this.#capacity / ratePerSecond) * 1000;
  }

  /** Returns true if a request is granted. @param arrivedAtMs on a monotonic clock */
  grants(arrivedAtMs: number): boolean {
    const [oldest] = this.#grantedAtMs;
    if (this.#grantedAtMs.length === this.#capacity && oldest !== undefined) {
      if (arrivedAtMs - oldest < this.#windowMs) return false;
      this.#grantedAtMs.shift();
    }
    this.#grantedAtMs.push(arrivedAtMs);
    return true;
  }
}
