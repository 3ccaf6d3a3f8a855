import { expect, it } from "vitest";
import { UnknownVersionError } from "../../../src/mart/errors.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { VersionPool } from "../../../src/serve/versions/version-pool.ts";

const readerCount = 12;

/** A pool of versions without content, with a record of opened and closed ones. */
function createPool() {
  const seen = { current: "v1", removed: new Set<string>(), opened: [] as string[], closed: [] as string[] };
  const pool = new VersionPool({
    findCurrent: async () => seen.current,
    isKept: async (version) => !seen.removed.has(version),
    getStamp: async (version) => version,
    async open(version, readers) {
      seen.opened.push(version);
      if (seen.removed.has(version)) throw new UnknownVersionError(version, [], "that are published");
      const mart = { version, close: () => {} } as unknown as PublishedMart;
      return {
        version,
        marts: Array.from({ length: readers }, () => () => mart),
        close: () => void seen.closed.push(version),
      };
    },
  });
  const take = (version?: string, { signal } = new AbortController()) => pool.take(version, signal);
  return { take, seen };
}

it("opens a version once for many concurrent readers", async () => {
  const { take, seen } = createPool();
  await Promise.all(Array.from({ length: readerCount }, () => take()));
  expect(seen.opened).toEqual(["v1"]);
});

it("serves the reader that waited longest first", async () => {
  const { take } = createPool();
  const taken = await Promise.all(Array.from({ length: readerCount }, () => take("v1")));
  const order: string[] = [];
  const wait = async (name: string) => {
    const version = await take("v1");
    order.push(name);
    version.release();
  };
  const waiting = [wait("second"), wait("third")];
  taken[0]?.release();
  await Promise.all(waiting);
  expect(order).toEqual(["second", "third"]);
});

it("gives the place of a reader that left to the next one", async () => {
  const { take } = createPool();
  const taken = await Promise.all(Array.from({ length: readerCount }, () => take("v1")));
  const leaving = new AbortController();
  const left = take("v1", leaving);
  const staying = take("v1");
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  taken[0]?.release();
  expect((await staying).mart.version).toBe("v1");
});

it("closes the least recently used version once nobody reads it", async () => {
  const { take, seen } = createPool();
  const first = await take("v1");
  for (const version of ["v2", "v3", "v4"]) (await take(version)).release();
  expect(seen.closed).toEqual([]);
  first.release();
  await expect.poll(() => seen.closed).toEqual(["v1"]);
});

it("shows the current version instead of one that is no longer kept", async () => {
  const { take, seen } = createPool();
  (await take("v1")).release();
  seen.current = "v2";
  seen.removed.add("v1");
  expect(await take("v1")).toMatchObject({ current: "v2", removed: "v1" });
  await expect.poll(() => seen.closed).toEqual(["v1"]);
});

it("retries a version that could not be opened", async () => {
  const { take, seen } = createPool();
  seen.removed.add("v1");
  await expect(take()).rejects.toThrow(UnknownVersionError);
  seen.removed.clear();
  expect((await take()).mart.version).toBe("v1");
});
