import { expect, it, onTestFinished } from "vitest";
import { Settings } from "../../src/config/settings.ts";
import { type ReaderLimits, Readers } from "../../src/serve/readers.ts";
import { openSources } from "../../src/serve/versions/open-sources.ts";
import { VersionPool } from "../../src/serve/versions/version-pool.ts";
import { itInAll } from "../support/long-suite.ts";
import { demoNow, shareDemoData } from "../support/shared-demo.ts";

/** Never returns its first row. */
const endless =
  "select count(*) as n from range(1000000) as a(i), range(1000000) as b(j), range(1000000) as c(k) where i + j = k + 1";

async function openReaders(limits: Partial<ReaderLimits> = {}): Promise<Readers> {
  const workingFolder = await shareDemoData();
  const environment = { VENUE_DATA_DIR: workingFolder, VENUE_THREADS: "1" };
  const settings = new Settings({ flags: {}, environment, workingFolder });
  const pool = new VersionPool((await openSources(settings, { debug() {}, info() {}, warn() {} })).source);
  onTestFinished(async () => await pool.close());
  const { signal } = new AbortController();
  return new Readers({
    pool,
    settings,
    now: () => demoNow,
    closing: signal,
    limits: { responseMs: 30_000, pauseMs: 30_000, ...limits },
  });
}

it("a page beyond its time limit is refused and its statement ends; other readers continue", async () => {
  const readers = await openReaders({ responseMs: 1_000 });
  const late = {
    status: 503,
    message: "This took more than 1 s. Choose a shorter period or fewer rows.",
  };
  const startedAt = performance.now();
  // One more than the readers of a version.
  const pending = Array.from({ length: 13 }, () => readers.read({}, ({ lease }) => lease.mart.all(endless)));
  for (const { status, reason } of (await Promise.allSettled(pending)) as PromiseRejectedResult[])
    expect([status, reason]).toEqual(["rejected", expect.objectContaining(late)]);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  const read = readers.read({}, ({ lease }) => lease.mart.all("select 1 as one"));
  expect(await read).toEqual([{ one: 1 }]);
});

itInAll("a download whose first row takes too long is refused, and frees its slot", async () => {
  const readers = await openReaders({ responseMs: 1_000 });
  async function* rows() {
    yield "";
  }
  const download = (sql: string) =>
    readers.download(
      { words: new Map(), hasRedundantWords: false },
      new AbortController().signal,
      async ({ lease }) => {
        await lease.mart.all(sql);
        return { type: "text/csv", fileName: "rows.csv", pieces: rows() };
      },
    );
  for (let times = 0; times < 5; times += 1)
    await expect(download(endless)).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("more than 1 s"),
    });
  const { status, body } = await download("select 1 as one");
  await body?.cancel();
  expect(status).toBe(200);
});

it("a download that is never read frees its slot", async () => {
  const readers = await openReaders();
  async function* rows() {
    yield "a";
    yield "b";
  }
  const download = () =>
    readers.download(
      { words: new Map(), hasRedundantWords: false },
      new AbortController().signal,
      async () => ({
        type: "text/csv",
        fileName: "rows.csv",
        pieces: rows(),
      }),
    );
  for (let times = 0; times < 5; times += 1) await (await download()).body?.cancel();
  expect(await (await download()).text()).toBe("ab");
});

it("a stalled download is aborted after a time, and frees its slot", async () => {
  const readers = await openReaders({ pauseMs: 500 });
  const over: string[] = [];
  async function* rows() {
    try {
      for (let row = 0; row < 100; row += 1) yield "row\n";
    } finally {
      over.push("over");
    }
  }
  const download = () =>
    readers.download(
      { words: new Map(), hasRedundantWords: false },
      new AbortController().signal,
      async () => ({
        type: "text/csv",
        fileName: "rows.csv",
        pieces: rows(),
      }),
    );
  const paused = await Promise.all(
    Array.from({ length: 4 }, async () => (await download()).body?.getReader()),
  );
  for (const reader of paused) await reader?.read();
  await expect.poll(() => over, { timeout: 30_000 }).toHaveLength(4);
  for (const reader of paused) await expect(reader?.read()).rejects.toThrow("the client read nothing");
  expect(await readAll((await download()).body)).toBe(400);
});

async function readAll(body: ReadableStream<Uint8Array> | null): Promise<number> {
  let bytes = 0;
  for await (const piece of body ?? []) bytes += piece.length;
  return bytes;
}
