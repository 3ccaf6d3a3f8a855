import { setTimeout as sleep } from "node:timers/promises";
import type { Context, MiddlewareHandler } from "hono";
import type { EmulatedService } from "../emulated-service.ts";
import { alreadySent, buildErrorBody, isAlreadySent, resetConnection } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";
import type { FaultSwitchboard, FaultTarget } from "./fault-switchboard.ts";
import type { FaultName } from "./fault-table.ts";

const html = "<!doctype html><title>Sign in</title><h1>Please sign in to the network</h1>";

/** Applies the faults that any endpoint can have, before and after the endpoint does its work. */
export function applyEndpointFaults({ faults, closing }: EmulatedService): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const target = c.get("target");
    const slow = faults.strike("slow", target);
    if (slow) await sleep(slow.value, undefined, { signal: closing });
    if (faults.strike("reset", target)) return resetConnection(c);
    const retryAfter = strikeRateLimit(faults, target);
    if (retryAfter) return c.json(buildErrorBody("rate_limited", "Too many requests."), 429, retryAfter);
    const failure = faults.strike("server-error", target);
    if (failure)
      return Response.json(buildErrorBody("server_error", "Something broke."), {
        status: failure.value ?? 503,
      });
    if (faults.strike("html-200", target)) return c.html(html);
    await next();
    if (faults.strike("reset-after", target)) {
      resetConnection(c);
      // Without this reset, Hono would merge the headers of both responses.
      c.res = undefined;
      c.res = alreadySent;
    }
    return undefined;
  };
}

function strikeRateLimit(faults: FaultSwitchboard, target: FaultTarget): Record<string, string> | undefined {
  const burst = faults.strike("rate-limit-burst", target);
  if (burst) return { "Retry-After": String(burst.value) };
  const dated = faults.strike("rate-limit-dated", target);
  if (dated) return { "Retry-After": new Date(Date.now() + (dated.value ?? 0) * 1000).toUTCString() };
  return faults.strike("rate-limit-bare", target) && {};
}

/** Documented fields that a record can do without. */
const nulled: ReadonlySet<string> = new Set([
  ...["firmware", "version", "bandwidth_kbps", "storage_used_mb", "ip_address", "mac_address"],
  ...["last_play_date", "last_sd_error", "last_sd_error_date", "street", "zip", "latitude", "longitude"],
  ...["start_date", "end_date", "rrule", "preview_png", "preview_gif", "description", "image"],
  ...["artwork_small", "artwork_large", "user", "user_image_small", "user_image_large", "likes", "dislikes"],
  ...["state_text", "tag_list", "latest_update"],
]);

/** Changes to each value of a response, applied from the inside out. */
const spoils: readonly { name: FaultName; spoil(key: string, value: unknown): unknown }[] = [
  { name: "nulls", spoil: (key, value) => (nulled.has(key) ? null : value) },
  {
    name: "unknown-fields",
    spoil: (_key, value) =>
      isObject(value)
        ? { ...value, added_later: { note: "of a later version", flags: [true, null, 1.5] } }
        : value,
  },
  { name: "numeric-as-text", spoil: (_key, value) => (typeof value === "number" ? String(value) : value) },
  {
    name: "text-as-numeric",
    spoil: (_key, value) =>
      typeof value === "string" && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? Number(value) : value,
  },
];

/** Applies the faults that alter a normal JSON response. */
export function spoilResponses({ faults }: EmulatedService): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    await next();
    const isJson = c.res.headers.get("content-type")?.startsWith("application/json") ?? false;
    if (isAlreadySent(c.res) || !isJson || c.res.status !== 200) return;
    const target = c.get("target");
    const striking = spoils.filter(({ name }) => faults.strike(name, target) !== undefined);
    const truncated = faults.strike("truncated-body", target);
    const cut = faults.strike("truncated-body-cut", target);
    if (striking.length === 0 && !truncated && !cut) return;

    let text = await c.res.text();
    for (const { spoil } of striking) text = JSON.stringify(JSON.parse(text, spoil));
    const bytes = Buffer.from(text);
    if (cut) return sendAndCut(c, bytes, cut.value ?? Math.floor(bytes.length / 2));
    const end = truncated ? (truncated.value ?? Math.floor(bytes.length / 2)) : bytes.length;
    c.res = new Response(Uint8Array.from(bytes.subarray(0, end)), c.res);
  };
}

function sendAndCut(c: Context<ServiceEnv>, bytes: Buffer, sentBytes: number): void {
  const { outgoing } = c.env;
  const headers = { ...Object.fromEntries(c.res.headers), "content-length": String(bytes.length) };
  outgoing.writeHead(200, headers);
  // The connection is cut only after the written data was sent.
  outgoing.write(bytes.subarray(0, sentBytes), () => outgoing.destroy());
  c.get("record").status = 200;
  // Without this reset, Hono would merge the headers of both responses.
  c.res = undefined;
  c.res = alreadySent;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
