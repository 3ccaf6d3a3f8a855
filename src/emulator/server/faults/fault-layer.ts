import { setTimeout as sleep } from "node:timers/promises";
import type { Context, MiddlewareHandler, Next } from "hono";
import { Random } from "../../world/random.ts";
import { alreadySent, buildErrorBody, isAlreadySent } from "../refusal-error.ts";
import type { Service, ServiceEnv } from "../service.ts";
import type { FaultName } from "./fault-table.ts";

type Strike = (
  c: Context<ServiceEnv>,
  next: Next,
  value: number | undefined,
  service: Service,
) => Promise<unknown>;

/** Applies a request's faults around its endpoint. A fault's response replaces the endpoint's response. */
export function applyFaults(service: Service): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const endpoint = c.get("endpoint");
    const struck = layers.flatMap(([name, strike]) => {
      const hit = service.faults.strike(name, endpoint);
      return hit ? [{ strike, value: hit.value }] : [];
    });
    const run = async (index: number): Promise<void> => {
      const fault = struck[index];
      if (!fault) return await next();
      const response = await fault.strike(c, () => run(index + 1), fault.value, service);
      if (!(response instanceof Response)) return;
      // Without this reset, Hono would merge the headers of both responses.
      c.res = undefined;
      c.res = response;
    };
    await run(0);
  };
}

/** Fault layers, from the outermost to the innermost. The endpoints apply the other faults. */
const layersByName: Partial<Record<FaultName, Strike>> = {
  slow: async (_c, next, ms, { closing }) => {
    await sleep(ms, undefined, { signal: closing });
    await next();
  },
  reset: async (c) => resetConnection(c),
  "reset-after": async (c, next) => {
    await next();
    return resetConnection(c);
  },
  "rate-limit-burst": async (_c, _next, seconds) => refuse(429, { "Retry-After": String(seconds) }),
  "rate-limit-dated": async (_c, _next, seconds = 0) =>
    refuse(429, { "Retry-After": new Date(Date.now() + seconds * 1000).toUTCString() }),
  "rate-limit-bare": async () => refuse(429),
  "server-error": async (_c, _next, status = 503) => refuse(status),
  "html-200": async (c) =>
    c.html("<!doctype html><title>Sign in</title><h1>Please sign in to the network</h1>"),
  "job-unknown": async () => refuse(404),
  "expired-link": async () => refuse(403),
  redirect: async (c, next, _value, { origins }) => {
    const { origin, pathname, search } = new URL(c.req.url);
    if (origin === origins.mirror) return await next();
    return c.redirect(`${origins.mirror}${pathname}${search}`, 302);
  },
  "token-refused": async (c, next, _value, { access }) => {
    access.revokeToken(c.req.header("authorization"));
    await next();
  },
  "truncated-body": cut({ length: "sent", ending: "end" }),
  "truncated-body-cut": cut({ length: "whole", ending: "cut" }),
  truncate: cut({ length: "whole", ending: "cut" }),
  "truncate-silently": cut({ length: "none", ending: "end" }),
  "truncate-at-line": cut({ length: "none", ending: "end", isAtLine: true }),
  stall: cut({ length: "whole", ending: "open" }),
  gzip: async (c, next) => {
    c.req.raw.headers.delete("range");
    await next();
    if (!c.res.ok || !c.res.body) return undefined;
    const headers = new Headers(c.res.headers);
    headers.delete("content-length");
    headers.delete("accept-ranges");
    headers.set("content-encoding", "gzip");
    return new Response(c.res.body.pipeThrough(new CompressionStream("gzip")), { headers });
  },
  "ignore-range": async (c, next) => {
    c.req.raw.headers.delete("range");
    await next();
  },
  "text-as-numeric": alterValues((_key, value) =>
    typeof value === "string" && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? Number(value) : value,
  ),
  "numeric-as-text": alterValues((_key, value) => (typeof value === "number" ? String(value) : value)),
  "unknown-fields": alterValues((_key, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value, added_later: { note: "of a later version", flags: [true, null, 1.5] } }
      : value,
  ),
  nulls: alterValues((key, value) => (nulled.has(key) ? null : value)),
  "reordered-page": alterPage((page) => ({ ...page, data: page.data.toReversed() })),
  "empty-page": alterPage((page) => ({ ...page, data: [] })),
  "bad-records": alterPage((page, share) => ({
    ...page,
    data: page.data.map((record) => spoilRecord(JSON.stringify(record), share)),
  })),
  "wrong-total": alterPage((page, error) => {
    const total = Math.max(0, page.total_count + error);
    return { ...page, total_count: total, page_count: Math.ceil(total / page.page_size) };
  }),
};
const layers = Object.entries(layersByName) as [FaultName, Strike][];

function refuse(status: number, headers: Record<string, string> = {}): Response {
  return Response.json(buildErrorBody("fault", "Something broke."), { status, headers });
}

/** Resets the connection, as a crashed server would. */
function resetConnection(c: Context<ServiceEnv>): Response {
  c.env.incoming.socket.resetAndDestroy();
  return alreadySent;
}

/**
 * Sends only the first bytes of a response, by default the first half.
 * @param form the declared length, what happens to the connection afterwards, and whether only whole lines are
 * sent
 */
function cut(form: {
  length: "whole" | "sent" | "none";
  ending: "cut" | "end" | "open";
  isAtLine?: true;
}): Strike {
  return async (c, next, sentBytes) => {
    await next();
    if (isAlreadySent(c.res) || !c.res.ok || !c.res.body) return undefined;
    const { status, headers, body } = c.res;
    const declared = headers.get("content-length");
    const whole = declared === null ? Buffer.from(await c.res.arrayBuffer()) : undefined;
    const wholeBytes = whole?.length ?? Number(declared);
    const limit = Math.min(wholeBytes, sentBytes ?? Math.floor(wholeBytes / 2));
    let bytes = whole?.subarray(0, limit) ?? (await readStart(body, limit));
    if (form.isAtLine) bytes = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    const { "content-length": _, ...others } = Object.fromEntries(headers);
    const length = form.length === "sent" ? bytes.length : wholeBytes;
    const { outgoing } = c.env;
    outgoing.writeHead(status, { ...others, ...(form.length !== "none" && { "content-length": length }) });
    outgoing.flushHeaders();
    // Resets the connection only after the written data was sent.
    outgoing.write(bytes, () => {
      if (form.ending === "cut") outgoing.destroy();
    });
    if (form.ending === "end") outgoing.end();
    Object.assign(c.get("record"), { status, sentBytes: bytes.length });
    return alreadySent;
  };
}

async function readStart(body: ReadableStream<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

/** Documented fields that may be null. */
const nulled: ReadonlySet<string> = new Set(
  (
    "firmware version bandwidth_kbps storage_used_mb ip_address mac_address last_play_date last_sd_error " +
    "last_sd_error_date street zip latitude longitude start_date end_date rrule preview_png preview_gif " +
    "description image artwork_small artwork_large user user_image_small user_image_large likes dislikes " +
    "state_text tag_list latest_update"
  ).split(" "),
);

/** Changes each value of a JSON response, innermost first. */
function alterValues(alter: (key: string, value: unknown) => unknown): Strike {
  return async (c, next) => {
    await next();
    const isJson = c.res.headers.get("content-type")?.startsWith("application/json") ?? false;
    if (isAlreadySent(c.res) || !isJson || c.res.status !== 200) return undefined;
    return new Response(JSON.stringify(JSON.parse(await c.res.text(), alter)), c.res);
  };
}

interface Page {
  total_count: number;
  page_size: number;
  data: unknown[];
}

function alterPage(alter: (page: Page, value: number) => object): Strike {
  return async (c, next, value = 0) => {
    const isPage = (json: unknown): json is Page =>
      typeof json === "object" && json !== null && "data" in json;
    const strike = alterValues((key, json) => (key === "" && isPage(json) ? alter(json, value) : json));
    return await strike(c, next, value, {} as Service);
  };
}

/** Ways to corrupt a record of a history page. The page remains valid JSON. */
const spoils: readonly ((record: string) => string)[] = [
  (record) => record.replace(/"duration_secs":\d+/, '"duration_secs":"long"'),
  (record) => record.replace(/"zone_id":\d+,/, ""),
  (record) => record.replace(/,?"play_start":"[^"]*"/, ""),
  (record) => record.replace(/"(song|asset)_id":\d+,/, ""),
  (record) => record.replace(/("play_start":"[\d-]+T[\d:]+)[+-][\d:]+"/, '$1"'),
  () => "null",
  () => '"upstream connect error"',
];

/** Corrupts this ratio of records. The same records are always corrupted in the same way. */
function spoilRecord(record: string, share: number): unknown {
  const random = new Random("bad records", record);
  return JSON.parse(random.chance(share) ? random.pick(spoils)(record) : record);
}
