import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../../../src/emulator/emulator.ts";
import { type FaultName, faultNames } from "../../../../src/emulator/server/faults/fault-table.ts";
import {
  bearer,
  createExport,
  exportLink,
  fetchToken,
  poll,
  postJson,
  startSmallEmulator,
} from "../../small-emulator.ts";

interface Scene {
  emulator: Emulator;
  token: string;
  /** Link of a finished export, whose file contains `whole`. */
  link: string;
  whole: Buffer;
  getDevices(): Promise<Response>;
  /** A page of the music of zone 81001. */
  readPage(query: string): Promise<Page>;
}

interface Page {
  total_count: number;
  data: unknown[];
}

async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}

/** The error code of the connection. */
async function failureOf(answer: Promise<unknown>): Promise<unknown> {
  const error = await answer.then(
    () => new Error("It was answered."),
    (reason: Error) => reason,
  );
  return error.cause instanceof Error && "code" in error.cause ? error.cause.code : error;
}

const connectionLost = expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/);

/** Effect of each fault, seen from outside. A new fault needs a proof here. */
const proofs: Readonly<Record<FaultName, (scene: Scene) => Promise<void>>> = {
  "rate-limit-burst": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "rate-limit-burst", times: 2, value: 7 }]);
    const answers = [await getDevices(), await getDevices(), await getDevices()];
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(answers[0]?.headers.get("retry-after")).toBe("7");
    for (const value of [-5, 31_536_000]) {
      emulator.setFaults([{ name: "rate-limit-burst", value }]);
      expect((await getDevices()).headers.get("retry-after")).toBe(String(value));
    }
  },
  "rate-limit-dated": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "rate-limit-dated", value: 3600 }]);
    const answer = await getDevices();
    const waitMs = Date.parse(answer.headers.get("retry-after") ?? "") - Date.now();
    expect([answer.status, Math.round(waitMs / 60_000)]).toEqual([429, 60]);
  },
  "rate-limit-bare": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "rate-limit-bare", times: 1 }]);
    const answers = [await getDevices(), await getDevices()];
    expect(answers.map(({ status }) => status)).toEqual([429, 200]);
    expect(answers[0]?.headers.has("retry-after")).toBe(false);
  },
  "server-error": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "server-error", value: 504 }]);
    expect((await getDevices()).status).toBe(504);
  },
  slow: async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "slow", value: 120 }]);
    const startedAt = performance.now();
    expect((await getDevices()).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(100);
  },
  reset: async ({ emulator, token }) => {
    emulator.setFaults([{ name: "reset", times: 1 }]);
    const before = emulator.jobs.length;
    expect(await failureOf(createExport(emulator, token))).toEqual(connectionLost);
    expect(emulator.jobs.length).toBe(before);
    expect(emulator.requests.at(-1)?.status).toBe(null);
  },
  "reset-after": async ({ emulator, token }) => {
    emulator.setFaults([{ name: "reset-after", times: 1, endpoint: "POST /v5/ext/data/music" }]);
    const before = emulator.jobs.length;
    expect(await failureOf(createExport(emulator, token))).toEqual(connectionLost);
    expect(emulator.jobs.length).toBe(before + 1);
    expect(emulator.requests.at(-1)?.status).toBe(null);
  },
  "html-200": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "html-200" }]);
    const answer = await getDevices();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    expect(await answer.text()).toContain("<!doctype html>");
  },
  "token-refused": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "token-refused", times: 1 }]);
    expect([(await getDevices()).status, (await getDevices()).status]).toEqual([401, 401]);
    expect(await fetchToken(emulator)).toEqual(expect.any(String));
  },
  "truncated-body": async ({ emulator, getDevices }) => {
    const whole = await (await getDevices()).text();
    emulator.setFaults([{ name: "truncated-body", value: 100 }]);
    const answer = await getDevices();
    expect([answer.status, answer.headers.get("content-length")]).toEqual([200, "100"]);
    expect(await answer.text()).toBe(whole.slice(0, 100));
  },
  "truncated-body-cut": async ({ emulator, getDevices }) => {
    const whole = await bytesOf(await getDevices());
    emulator.setFaults([{ name: "truncated-body-cut" }]);
    const answer = await getDevices();
    expect(answer.headers.get("content-length")).toBe(String(whole.length));
    expect(await failureOf(answer.arrayBuffer())).toEqual(connectionLost);
  },
  nulls: async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "nulls" }]);
    expect(await (await getDevices()).json()).toMatchObject([
      { zone_id: 81001, status: "online", firmware: null, last_play_date: null, location: { zip: null } },
      {},
    ]);
  },
  "unknown-fields": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "unknown-fields" }]);
    const added = { added_later: { note: "of a later version", flags: [true, null, 1.5] } };
    expect(await (await getDevices()).json()).toMatchObject([{ ...added, location: added }, added]);
  },
  "numeric-as-text": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "numeric-as-text" }]);
    const location = { location_id: "4101" };
    expect(await (await getDevices()).json()).toMatchObject([{ zone_id: "81001", location }, {}]);
  },
  "text-as-numeric": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "text-as-numeric" }]);
    expect(await (await getDevices()).json()).toMatchObject([
      { bandwidth_kbps: expect.any(Number), version: expect.any(String), location: { zip: 10002 } },
      {},
    ]);
  },
  "group-forbidden": async ({ emulator, token, getDevices }) => {
    emulator.setFaults([{ name: "group-forbidden", value: 58430 }]);
    expect((await getDevices()).status).toBe(200);
    const create = (groupId: number) =>
      postJson(`${emulator.baseUrl}/ext/data/music/history/export`, { group_id: groupId }, token);
    expect([(await create(58429)).status, (await create(58430)).status]).toEqual([200, 403]);
    emulator.setFaults([{ name: "group-forbidden" }]);
    expect((await getDevices()).status).toBe(403);
  },
  "zone-gone": async ({ emulator, token, getDevices, readPage }) => {
    emulator.setFaults([{ name: "zone-gone", value: 81002 }]);
    expect(await (await getDevices()).json()).toMatchObject([{ zone_id: 81001 }, { zone_id: 81002 }]);
    const url = `${emulator.baseUrl}/ext/data/music/history?zone_id=81002`;
    expect((await fetch(url, { headers: bearer(token) })).status).toBe(404);
    expect((await readPage("")).data.length).toBeGreaterThan(0);
  },
  "clamped-limit": async ({ emulator, readPage }) => {
    const sound = await readPage("&limit=40");
    emulator.setFaults([{ name: "clamped-limit", value: 7 }]);
    expect(await readPage("&limit=40")).toEqual({
      ...sound,
      page_size: 7,
      page_count: Math.ceil(sound.total_count / 7),
      data: sound.data.slice(0, 7),
    });
    expect((await readPage("&limit=3")).data).toEqual(sound.data.slice(0, 3));
  },
  "wrong-total": async ({ emulator, readPage }) => {
    const sound = await readPage("&limit=10");
    for (const value of [5, -3]) {
      emulator.setFaults([{ name: "wrong-total", value }]);
      const { total_count: totalCount, data } = await readPage("&limit=10");
      expect([totalCount, data]).toEqual([sound.total_count + value, sound.data]);
    }
  },
  "repeated-record": async ({ emulator, readPage }) => {
    const { data } = await readPage("&limit=40");
    emulator.setFaults([{ name: "repeated-record", times: 1 }]);
    expect((await readPage("&limit=10")).data).toEqual(data.slice(0, 10));
    expect((await readPage("&limit=10&offset=10")).data).toEqual(data.slice(9, 19));
    expect((await readPage("&limit=10&offset=20")).data).toEqual(data.slice(20, 30));
  },
  "inserted-record": async ({ emulator, readPage }) => {
    const { data, total_count: totalCount } = await readPage("&limit=100");
    emulator.setFaults([{ name: "inserted-record", value: 2 }]);
    // Each page begins two records before the end of the previous one.
    const pages = [];
    for (const offset of [0, 10, 20, 30, 40]) pages.push(await readPage(`&limit=10&offset=${offset}`));
    expect(pages.map((page) => page.total_count - totalCount)).toEqual([-6, -4, -2, 0, 0]);
    expect(pages.map((page) => page.data)).toEqual([
      data.slice(6, 16),
      data.slice(14, 24),
      data.slice(22, 32),
      data.slice(30, 40),
      data.slice(40, 50),
    ]);
    // Delivered records remain.
    expect((await readPage("&limit=10")).data).toEqual(data.slice(0, 10));
  },
  "bad-records": async ({ emulator, readPage }) => {
    const { data, ...envelope } = await readPage("&limit=200");
    emulator.setFaults([{ name: "bad-records", value: 0.3 }]);
    const spoiled = await readPage("&limit=200");
    expect(spoiled).toMatchObject(envelope);
    expect(await readPage("&limit=200")).toEqual(spoiled);
    const bad = spoiled.data.filter((record, index) => !isDeepStrictEqual(record, data[index]));
    expect(bad.length / data.length).toBeCloseTo(0.3, 0);
    expect(bad).toContain(null);
  },
  "reordered-page": async ({ emulator, readPage }) => {
    const { data } = await readPage("&limit=10");
    emulator.setFaults([{ name: "reordered-page" }]);
    expect((await readPage("&limit=10")).data).toEqual(data.toReversed());
  },
  "empty-page": async ({ emulator, readPage }) => {
    const sound = await readPage("&limit=10");
    emulator.setFaults([{ name: "empty-page", times: 1 }]);
    expect(await readPage("&limit=10")).toEqual({ ...sound, data: [] });
    expect(await readPage("&limit=10")).toEqual(sound);
  },
  "odd-job-id": async ({ emulator, token, whole }) => {
    emulator.setFaults([{ name: "odd-job-id", times: 1 }]);
    const jobId = await createExport(emulator, token);
    expect(jobId).toMatch(/\/.* .*\?.*ä.*%.*東京.*#/);
    const job = await poll(emulator, token, encodeURIComponent(jobId));
    expect(job).toMatchObject({ job_id: jobId, status: "completed" });
    expect((await bytesOf(await fetch(job.download_url ?? ""))).equals(whole)).toBe(true);
  },
  "lying-expires-at": async ({ emulator, token }) => {
    const jobId = await createExport(emulator, token);
    emulator.setFaults([{ name: "lying-expires-at", times: 1 }]);
    const [lying, sound] = [await poll(emulator, token, jobId), await poll(emulator, token, jobId)];
    expect(Date.parse(lying.expires_at ?? "")).toBeGreaterThan(Date.now() + 3_000_000);
    expect((await fetch(lying.download_url ?? "")).status).toBe(403);
    expect((await fetch(sound.download_url ?? "")).status).toBe(200);
  },
  "job-fails": async ({ emulator, token }) => {
    emulator.setFaults([{ name: "job-fails", times: 1 }]);
    const [failing, sound] = [await createExport(emulator, token), await createExport(emulator, token)];
    expect(await poll(emulator, token, failing)).toEqual({
      job_id: failing,
      status: "failed",
      error: "The export could not be written.",
    });
    expect(await poll(emulator, token, sound)).toMatchObject({ status: "completed" });
  },
  "job-stuck": async ({ emulator, token }) => {
    emulator.setFaults([{ name: "job-stuck", times: 1 }]);
    const stuck = await createExport(emulator, token);
    const sound = await createExport(emulator, token);
    expect(await poll(emulator, token, sound)).toMatchObject({ status: "completed" });
    expect(await poll(emulator, token, stuck)).toEqual({ job_id: stuck, status: "processing" });
  },
  "job-unknown": async ({ emulator, token }) => {
    const jobId = await createExport(emulator, token);
    emulator.setFaults([{ name: "job-unknown", times: 1 }]);
    expect(await poll(emulator, token, jobId)).toMatchObject({ error: { code: "unknown_job" } });
    expect(await poll(emulator, token, jobId)).toMatchObject({ status: "completed" });
  },
  "bad-lines": async ({ emulator, token, whole }) => {
    emulator.setFaults([{ name: "bad-lines", value: 0.2 }]);
    const link = await exportLink(emulator, token);
    const lines = (await bytesOf(await fetch(link))).toString().split("\n");
    const soundLines = new Set(whole.toString().split("\n"));
    const query = { kind: "music", groupId: 58429, visibleAt: emulator.now() } as const;
    const { broken, blank } = emulator.world.lineCounts({ ...query, badLineRate: 0.2 });
    expect(broken + blank).toBeGreaterThan(20);
    expect(lines.filter((line) => !soundLines.has(line)).length).toBe(broken);
  },
  "expired-link": async ({ emulator, link }) => {
    emulator.setFaults([{ name: "expired-link", times: 1 }]);
    expect([(await fetch(link)).status, (await fetch(link)).status]).toEqual([403, 200]);
  },
  redirect: async ({ emulator, link, whole }) => {
    emulator.setFaults([{ name: "redirect" }]);
    const answer = await fetch(link);
    const { origin } = new URL(answer.url);
    expect([emulator.downloadOrigin, new URL(emulator.baseUrl).origin]).not.toContain(origin);
    expect((await bytesOf(answer)).equals(whole)).toBe(true);
  },
  truncate: async ({ emulator, link, whole }) => {
    emulator.setFaults([{ name: "truncate", value: 100 }]);
    const answer = await fetch(link);
    expect(answer.headers.get("content-length")).toBe(String(whole.length));
    expect(await failureOf(answer.arrayBuffer())).toEqual(connectionLost);
    expect(emulator.requests.at(-1)?.sentBytes).toBe(100);
  },
  "truncate-silently": async ({ emulator, link, whole }) => {
    emulator.setFaults([{ name: "truncate-silently" }]);
    const answer = await fetch(link);
    expect(answer.headers.has("content-length")).toBe(false);
    expect((await bytesOf(answer)).equals(whole.subarray(0, Math.floor(whole.length / 2)))).toBe(true);
  },
  "truncate-at-line": async ({ emulator, link, whole }) => {
    emulator.setFaults([{ name: "truncate-at-line" }]);
    const bytes = await bytesOf(await fetch(link));
    expect(bytes.at(-1)).toBe(10);
    expect(bytes.length).toBeLessThan(whole.length);
    expect(whole.subarray(0, bytes.length).equals(bytes)).toBe(true);
  },
  stall: async ({ emulator, link, whole }) => {
    emulator.setFaults([{ name: "stall", value: 50 }]);
    const { body } = await fetch(link);
    const reader = body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).equals(whole.subarray(0, 50))).toBe(true);
    const next = await Promise.race([
      reader?.read(),
      new Promise((resolve) => setTimeout(resolve, 100, "nothing")),
    ]);
    expect(next).toBe("nothing");
    await reader?.cancel();
  },
  "ignore-range": async ({ emulator, link, whole }) => {
    emulator.setFaults([{ name: "ignore-range" }]);
    const answer = await fetch(link, { headers: { Range: "bytes=10-" } });
    expect(answer.status).toBe(200);
    expect((await bytesOf(answer)).equals(whole)).toBe(true);
  },
  gzip: async ({ emulator, link, whole }) => {
    emulator.setFaults([{ name: "gzip" }]);
    const answer = await fetch(link, { headers: { "Accept-Encoding": "identity" } });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect((await bytesOf(answer)).equals(whole)).toBe(true);
  },
};

describe("each fault has its documented effect", () => {
  it.each(faultNames)("%s", async (name) => {
    const emulator = await startSmallEmulator();
    const token = await fetchToken(emulator);
    const link = await exportLink(emulator, token);
    const whole = await bytesOf(await fetch(link));
    const url = `${emulator.baseUrl}/ext/devices/status?group_id=58429`;
    const getDevices = () => fetch(url, { headers: bearer(token) });
    const readPage = async (query: string) => {
      const pageUrl = `${emulator.baseUrl}/ext/data/music/history?zone_id=81001${query}`;
      return (await (await fetch(pageUrl, { headers: bearer(token) })).json()) as Page;
    };
    await proofs[name]({ emulator, token, link, whole, getDevices, readPage });
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
