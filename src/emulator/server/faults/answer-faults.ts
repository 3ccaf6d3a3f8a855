import { setTimeout as sleep } from "node:timers/promises";
import type { MiddlewareHandler } from "hono";
import { alreadySent, resetConnection } from "../already-sent.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { errorBody } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";
import type { FaultSwitchboard, FaultTarget } from "./fault-switchboard.ts";

const html = "<!doctype html><title>Sign in</title><h1>Please sign in to the network</h1>";

/** The faults that any endpoint can have, before and after it has done its work. */
export function answerFaults({ faults, closing }: EmulatedService): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const target = c.get("target");
    const slow = faults.strike("slow", target);
    if (slow) await sleep(slow.value, undefined, { signal: closing });
    if (faults.strike("reset", target)) return resetConnection(c);
    const retryAfter = strikeRateLimit(faults, target);
    if (retryAfter) return c.json(errorBody("rate_limited", "Too many requests."), 429, retryAfter);
    const failure = faults.strike("server-error", target);
    if (failure)
      return Response.json(errorBody("server_error", "Something broke."), { status: failure.value ?? 503 });
    if (faults.strike("html-200", target)) return c.html(html);
    await next();
    if (faults.strike("reset-after", target)) {
      resetConnection(c);
      // Hono would merge the headers of both otherwise.
      c.res = undefined;
      c.res = alreadySent;
    }
    return undefined;
  };
}

/** Headers of an answer that says so. */
function strikeRateLimit(faults: FaultSwitchboard, target: FaultTarget): Record<string, string> | undefined {
  const burst = faults.strike("rate-limit-burst", target);
  if (burst) return { "Retry-After": String(burst.value) };
  const dated = faults.strike("rate-limit-dated", target);
  if (dated) return { "Retry-After": new Date(Date.now() + (dated.value ?? 0) * 1000).toUTCString() };
  return faults.strike("rate-limit-bare", target) && {};
}
