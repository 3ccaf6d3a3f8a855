import { describe, expect, it } from "vitest";
import {
  type FaultName,
  type FaultSetting,
  faultNames,
} from "../../../src/emulator/server/faults/fault-table.ts";
import {
  bearer,
  createExport,
  exportLink,
  fetchToken,
  type JobAnswer,
  poll,
  postJson,
  startSmallEmulator,
} from "../small-emulator.ts";

/** A response compared with the sound one: its whole body is the same, its start, other, or lost on the way. */
interface Seen {
  status?: number;
  headers?: Record<string, string>;
  url?: string;
  body: "same" | "start" | "other" | "lost" | "stalled";
  sizeBytes?: number;
  json?: unknown;
}

interface Page {
  total_count: number;
  data: unknown[];
}

type Probe = "devices" | "page" | "create" | "download" | "range";
type Row = [strength: Omit<FaultSetting, "name">, probe: Probe, seen: object | ((sound: Page) => object)];

const added = { added_later: { note: "of a later version", flags: [true, null, 1.5] } };
const job = { job_id: expect.any(String) };

/** Effect of each fault, seen from outside. A new fault needs a row here. */
const rows: Readonly<Record<FaultName, Row>> = {
  "rate-limit-burst": [{ value: -5 }, "devices", { status: 429, headers: { "retry-after": "-5" } }],
  "rate-limit-dated": [
    {},
    "devices",
    { status: 429, headers: { "retry-after": expect.stringMatching(/ GMT$/) } },
  ],
  "rate-limit-bare": [
    {},
    "devices",
    { status: 429, headers: expect.not.objectContaining({ "retry-after": expect.anything() }) },
  ],
  "server-error": [{ value: 504 }, "devices", { status: 504 }],
  slow: [{ value: 20 }, "devices", { body: "same" }],
  reset: [{}, "create", { body: "lost", json: [] }],
  "reset-after": [{}, "create", { body: "lost", json: [{ kind: "music" }] }],
  "html-200": [{}, "devices", { status: 200, headers: { "content-type": "text/html; charset=UTF-8" } }],
  "token-refused": [{}, "devices", { status: 401 }],
  "truncated-body": [
    { value: 100 },
    "devices",
    { headers: { "content-length": "100" }, body: "start", sizeBytes: 100 },
  ],
  "truncated-body-cut": [{}, "devices", { body: "lost" }],
  nulls: [{}, "devices", { json: [{ zone_id: 81001, firmware: null, location: { zip: null } }, {}] }],
  "unknown-fields": [{}, "devices", { json: [{ ...added, location: added }, added] }],
  "numeric-as-text": [{}, "devices", { json: [{ zone_id: "81001", location: { location_id: "4101" } }, {}] }],
  "text-as-numeric": [
    {},
    "devices",
    { json: [{ bandwidth_kbps: expect.any(Number), location: { zip: 10002 } }, {}] },
  ],
  "group-forbidden": [{ value: 58429 }, "devices", { status: 403 }],
  "zone-gone": [{ value: 81001 }, "page", { status: 404 }],
  "clamped-limit": [{ value: 7 }, "page", ({ data }) => ({ json: { page_size: 7, data: data.slice(0, 7) } })],
  "wrong-total": [
    { value: -3 },
    "page",
    ({ total_count, data }) => ({ json: { total_count: total_count - 3, data } }),
  ],
  "repeated-record": [
    {},
    "page",
    ({ data }) => ({ json: { data: [expect.anything(), ...data.slice(0, -1)] } }),
  ],
  "inserted-record": [
    { value: 2 },
    "page",
    ({ total_count, data }) => ({
      json: { total_count: total_count - 4, data: expect.arrayContaining(data.slice(4)) },
    }),
  ],
  "bad-records": [{ value: 0.9 }, "page", ({ total_count }) => ({ json: { total_count }, body: "other" })],
  "reordered-page": [{}, "page", ({ data }) => ({ json: { data: data.toReversed() } })],
  "empty-page": [{}, "page", ({ total_count }) => ({ json: { total_count, data: [] } })],
  "odd-job-id": [
    {},
    "create",
    { body: "same", json: { job_id: expect.stringMatching(/\/.* .*\?.*ä.*%.*東京.*#/) } },
  ],
  "lying-expires-at": [{}, "create", { status: 403, json: { ...job, status: "completed" } }],
  "job-fails": [
    {},
    "create",
    { json: { ...job, status: "failed", error: "The export could not be written." } },
  ],
  "job-stuck": [{}, "create", { json: { ...job, status: "processing" } }],
  "job-unknown": [{}, "create", { json: { error: {} } }],
  "bad-lines": [{ value: 0.2 }, "create", { status: 200, body: "other" }],
  "expired-link": [{}, "download", { status: 403 }],
  redirect: [{}, "download", { url: expect.stringContaining("/exports/"), body: "same" }],
  truncate: [{ value: 100 }, "download", { status: 200, body: "lost" }],
  "truncate-silently": [
    { value: 90 },
    "download",
    { headers: { "transfer-encoding": "chunked" }, sizeBytes: 90 },
  ],
  "truncate-at-line": [{}, "download", { headers: { "transfer-encoding": "chunked" }, body: "start" }],
  stall: [{ value: 50 }, "download", { status: 200, body: "stalled" }],
  "ignore-range": [{}, "range", { status: 200, body: "same" }],
  gzip: [{}, "download", { headers: { "content-encoding": "gzip" }, body: "same" }],
};

async function see(url: string, options: RequestInit, sound: Buffer = Buffer.alloc(0)): Promise<Seen> {
  let seen: Seen = { body: "lost" };
  try {
    const response = await fetch(url, options);
    const headers = Object.fromEntries(response.headers);
    seen = { ...seen, status: response.status, headers, url: response.url };
    const bytes = Buffer.from(await response.arrayBuffer());
    const isStart = sound.subarray(0, bytes.length).equals(bytes);
    const body = sound.equals(bytes) ? "same" : isStart ? "start" : "other";
    const isJson = body !== "start" && headers["content-type"] === "application/json";
    return { ...seen, body, sizeBytes: bytes.length, ...(isJson && { json: JSON.parse(bytes.toString()) }) };
  } catch (error) {
    return { ...seen, body: error instanceof Error && error.name === "TimeoutError" ? "stalled" : "lost" };
  }
}

describe("each fault has its documented effect", () => {
  it.each(faultNames)("%s", async (name) => {
    const [strength, probe, expected] = rows[name];
    const emulator = await startSmallEmulator();
    const token = await fetchToken(emulator);
    const link = await exportLink(emulator, token);
    const read = async (sound?: Buffer): Promise<Seen> => {
      const ext = `${emulator.baseUrl}/ext`;
      const headers = bearer(token);
      if (probe === "devices") return see(`${ext}/devices/status?group_id=58429`, { headers }, sound);
      const page = `${ext}/data/music/history?zone_id=81001&limit=40&offset=10`;
      if (probe === "page") return see(page, { headers }, sound);
      if (probe === "create") {
        const before = emulator.jobs.length;
        const jobId = await createExport(emulator, token).catch(() => undefined);
        if (jobId === undefined) return { body: "lost", json: emulator.jobs.slice(before) };
        const json: JobAnswer = await poll(emulator, token, encodeURIComponent(jobId));
        return { ...(json.download_url ? await see(json.download_url, {}, sound) : { body: "other" }), json };
      }
      const signal = name === "stall" && sound ? { signal: AbortSignal.timeout(300) } : {};
      return see(
        link,
        { ...(probe === "range" && sound && { headers: { Range: "bytes=10-" } }), ...signal },
        sound,
      );
    };
    const url = probe === "devices" || probe === "page" ? undefined : link;
    const sound = await read();
    const soundBytes = url
      ? Buffer.from(await (await fetch(url)).arrayBuffer())
      : Buffer.from(JSON.stringify(sound.json));
    emulator.setFaults([{ name, ...strength }]);
    const seen = await read(soundBytes);
    expect(seen).toMatchObject(typeof expected === "function" ? expected(sound.json as Page) : expected);
    const isElsewhere = seen.url !== undefined && !seen.url.startsWith(emulator.downloadOrigin);
    if (url && seen.url) expect(isElsewhere).toBe(name === "redirect");
    emulator.setFaults([]);
    expect((await fetch(link)).status).toBe(200);
  });
});

describe("settings", () => {
  it("strike only their targets", async () => {
    const emulator = await startSmallEmulator();
    const token = await fetchToken(emulator);
    const link = await exportLink(emulator, token);
    emulator.setFaults([{ name: "server-error", endpoint: "/exports/" }]);
    const devices = await fetch(`${emulator.baseUrl}/ext/devices/status?group_id=58429`, {
      headers: bearer(token),
    });
    expect([devices.status, (await fetch(link)).status]).toEqual([200, 503]);
  });

  it("strike with a probability, reproducibly for a seed", async () => {
    const statusesOf = async () => {
      const emulator = await startSmallEmulator({ faults: [{ name: "html-200", probability: 0.5 }] });
      const types: (string | null)[] = [];
      for (let count = 0; count < 12; count += 1) {
        const answer = await postJson(`${emulator.baseUrl}/api-clients/token`, {});
        types.push(answer.headers.get("content-type"));
      }
      return types;
    };
    const types = await statusesOf();
    expect(new Set(types).size).toBe(2);
    expect(await statusesOf()).toEqual(types);
  });
});
