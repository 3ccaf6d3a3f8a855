import { describe, expect, it } from "vitest";
import type { Emulator } from "../../../src/emulator/emulator.ts";
import { type FaultName, faultNames } from "../../../src/emulator/server/fault-table.ts";
import {
  bearer,
  createExport,
  exportLink,
  fetchToken,
  poll,
  postJson,
  startSmallEmulator,
} from "../small-emulator.ts";

interface Scene {
  emulator: Emulator;
  token: string;
  /** Of a finished export; the file has `whole` in it. */
  link: string;
  whole: Buffer;
  getDevices(): Promise<Response>;
}

async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}

/** The code of the connection's error. */
async function failureOf(answer: Promise<unknown>): Promise<unknown> {
  const error = await answer.then(
    () => new Error("It was answered."),
    (reason: Error) => reason,
  );
  return error.cause instanceof Error && "code" in error.cause ? error.cause.code : error;
}

const connectionLost = expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/);

/** What each fault does, seen from outside. A fault that is added needs a proof here. */
const proofs: Readonly<Record<FaultName, (scene: Scene) => Promise<void>>> = {
  "rate-limit-burst": async ({ emulator, getDevices }) => {
    emulator.setFaults([{ name: "rate-limit-burst", times: 2, value: 7 }]);
    const answers = [await getDevices(), await getDevices(), await getDevices()];
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(answers[0]?.headers.get("retry-after")).toBe("7");
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

describe("each fault does what its name says", () => {
  it.each(faultNames)("%s", async (name) => {
    const emulator = await startSmallEmulator();
    const token = await fetchToken(emulator);
    const link = await exportLink(emulator, token);
    const whole = await bytesOf(await fetch(link));
    const url = `${emulator.baseUrl}/ext/devices/status?group_id=58429`;
    const getDevices = () => fetch(url, { headers: bearer(token) });
    await proofs[name]({ emulator, token, link, whole, getDevices });
    emulator.setFaults([]);
    expect((await fetch(link)).status).toBe(200);
  });
});

describe("settings", () => {
  it("strike only where they are meant to", async () => {
    const emulator = await startSmallEmulator();
    const token = await fetchToken(emulator);
    const link = await exportLink(emulator, token);
    emulator.setFaults([{ name: "server-error", endpoint: "/exports/" }]);
    const devices = await fetch(`${emulator.baseUrl}/ext/devices/status?group_id=58429`, {
      headers: bearer(token),
    });
    expect([devices.status, (await fetch(link)).status]).toEqual([200, 503]);
  });

  it("strike in a share of the cases, the same with the same seed", async () => {
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
