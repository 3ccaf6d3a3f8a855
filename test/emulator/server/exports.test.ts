import { describe, expect, it } from "vitest";
import { bearer, createExport, exportLink, fetchToken, poll, startSmallEmulator } from "../small-emulator.ts";

async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}

describe("a job", () => {
  it("is processing for its duration, then has a link that expires", async () => {
    const emulator = await startSmallEmulator({ exportSeconds: 2, linkSeconds: 60 });
    const token = await fetchToken(emulator);
    const jobId = await createExport(emulator, token);
    expect(await poll(emulator, token, jobId)).toEqual({ job_id: jobId, status: "processing" });
    await expect
      .poll(() => poll(emulator, token, jobId))
      .toEqual({
        job_id: jobId,
        status: "completed",
        download_url: expect.stringContaining(`${emulator.downloadOrigin}/exports/${jobId}?expires=`),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      });
    expect(emulator.jobs).toEqual([
      { jobId, kind: "music", groupId: 58429, status: "completed", at: emulator.now().toISOString() },
    ]);
  });

  it("reflects the instant at which it was created", async () => {
    const emulator = await startSmallEmulator();
    const token = await fetchToken(emulator);
    const end = emulator.now();
    emulator.setNow(new Date(end.getTime() - 30 * 3_600_000));
    const early = await exportLink(emulator, token);
    emulator.setNow(end);
    const late = await exportLink(emulator, token);
    const [earlySize, lateSize] = [await bytesOf(await fetch(early)), await bytesOf(await fetch(late))];
    expect(earlySize.length).toBeGreaterThan(0);
    expect(lateSize.length).toBeGreaterThan(earlySize.length);
  });
});

describe("a download", () => {
  it.each(["music", "signage", "messaging"])(
    "of %s contains the lines that the world counts",
    async (kind) => {
      const emulator = await startSmallEmulator();
      const link = await exportLink(emulator, await fetchToken(emulator), { kind, groupId: 58430 });
      const answer = await fetch(link);
      const bytes = await bytesOf(answer);
      expect(answer.headers.get("content-length")).toBe(String(bytes.length));
      const counts = emulator.world.lineCounts({
        kind: kind === "music" || kind === "signage" ? kind : "messaging",
        groupId: 58430,
        visibleAt: emulator.now(),
      });
      expect(bytes.toString().split("\n").length - 1).toBe(counts.lines);
    },
  );

  it("resumes at any byte with the same content", async () => {
    const emulator = await startSmallEmulator();
    const token = await fetchToken(emulator);
    const link = await exportLink(emulator, token);
    const whole = await bytesOf(await fetch(link));
    for (const cut of [1, 1000, Math.floor(whole.length / 2), whole.length - 1]) {
      const answer = await fetch(link, { headers: { Range: `bytes=${cut}-` } });
      expect(answer.status).toBe(206);
      expect(answer.headers.get("content-range")).toBe(`bytes ${cut}-${whole.length - 1}/${whole.length}`);
      expect(answer.headers.get("content-length")).toBe(String(whole.length - cut));
      expect((await bytesOf(answer)).equals(whole.subarray(cut))).toBe(true);
    }
    const middle = await fetch(link, { headers: { Range: "bytes=500-1499" } });
    expect((await bytesOf(middle)).equals(whole.subarray(500, 1500))).toBe(true);
    const beyond = await fetch(link, { headers: { Range: `bytes=${whole.length}-` } });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${whole.length}`]);
  });

  it("resumes only the same file", async () => {
    const emulator = await startSmallEmulator();
    const link = await exportLink(emulator, await fetchToken(emulator));
    const etag = (await fetch(link)).headers.get("etag") ?? "";
    const range = { Range: "bytes=10-" };
    expect((await fetch(link, { headers: { ...range, "If-Range": etag } })).status).toBe(206);
    expect((await fetch(link, { headers: { ...range, "If-Range": '"another"' } })).status).toBe(200);
  });

  it("never accepts a token", async () => {
    const emulator = await startSmallEmulator();
    const token = await fetchToken(emulator);
    const link = await exportLink(emulator, token);
    expect((await fetch(link, { headers: bearer(token) })).status).toBe(400);
  });

  it("needs a valid link that has not expired", async () => {
    const emulator = await startSmallEmulator({ linkSeconds: 0 });
    const link = await exportLink(emulator, await fetchToken(emulator));
    expect((await fetch(link)).status).toBe(403);
    const later = new URL(link);
    later.searchParams.set("expires", "4102444800");
    expect((await fetch(later)).status).toBe(403);
  });
});
