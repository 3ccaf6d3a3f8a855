import { expect, it } from "vitest";
import { fetchLake } from "../../src/lake/fetch-lake.ts";
import { publishStoredLake } from "../../src/publish/lake/publish-stored-lake.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { LakeMachine, readLake, song } from "../publish/lake/lake-machine.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { type ChooseFault, type Fault, isListing } from "./faulty-proxy.ts";
import { describeStore, openBoth } from "./use-store.ts";

describeStore("versitygw", (endpoint) => {
  /** Opens a lake through a proxy and directly, with a machine that publishes there. */
  async function openLake(choose: ChooseFault) {
    const { faulty, storage } = await openBoth(endpoint, choose);
    const east = await LakeMachine.open("east", storage.location);
    const copy = createTempFolder();
    const addPlay = (day: string) => east.add("play", song(`2026-10-${day} 10:00:00`));
    const publish = (to = faulty) =>
      publishStoredLake(east.warehouse, {
        ...{ storage: to, machine: "east", now: new Date(), softwareVersion: "1.2.3", logger },
        tempFolder: createTempFolder(),
      });
    return {
      storage,
      addPlay,
      publish: () => publish(),
      async publishNext(day: string, to?: Storage) {
        await addPlay(day);
        await publish(to);
      },
      /** Copies the lake as a build does. */
      fetch: () => fetchLake(faulty, copy, { limitBytes: 1e9, onProgress: () => {} }),
      /** Expects the copy to have all of the machine's rows. */
      expectSame: () => readLake(copy, (reader) => east.expectSame(reader)),
      /** Counts what readers see now. */
      async countPlays() {
        const count = "select count(*) as plays from lake.play";
        const { plays } = await readLake(storage.location, (reader) => reader.get<{ plays: number }>(count));
        return plays;
      },
    };
  }

  it("a lake is complete even if every seventh request has a fault", async () => {
    const faults: Fault[] = ["lost", "unsent", "500 InternalError", "503 SlowDown", "cut"];
    let requests = 0;
    const lake = await openLake((method) => {
      requests += 1;
      return requests % 7 === 0 && method !== "HEAD"
        ? faults[Math.floor(requests / 7) % faults.length]
        : undefined;
    });
    for (const day of ["05", "06"]) await lake.publishNext(day);
    await lake.fetch();
    await lake.expectSame();
    expect(requests).toBeGreaterThan(100);
  });

  it.each([
    ["403 AccessDenied", /the credentials lack a permission\. Grant them s3:/],
    ["400 ExpiredToken", /the credentials have expired\. Get new ones/],
  ] as const)("a lake shows the old or the new set, and is continued, after %s", async (fault, message) => {
    let left = Number.POSITIVE_INFINITY;
    const lake = await openLake((method) => {
      if (method !== "HEAD") left -= 1;
      return left < 0 ? fault : undefined;
    });
    await lake.publishNext("05");
    await lake.publishNext("06", lake.storage);
    await lake.addPlay("07");
    for (const [run, plays] of [
      [lake.publish, [2, 3]],
      [lake.fetch, [3]],
    ] as const) {
      for (let allowed = 0; ; allowed += 3) {
        left = allowed;
        const error: unknown = await run().catch((thrown) => thrown);
        left = Number.POSITIVE_INFINITY;
        if (!(error instanceof Error)) break;
        expect(error).toMatchObject({ code: "STORAGE_UNUSABLE", category: "usage" });
        expect(error.message).toMatch(message);
        expect(plays).toContain(await lake.countPlays());
      }
    }
    await lake.expectSame();
  });

  it("a lake is exact if listings are out of date", async () => {
    let isStale = true;
    const lake = await openLake((_method, path) => (isStale && isListing(path) ? "stale" : undefined));
    // The first listings of all have no objects, and those of the third round the files of three publishes.
    for (const [round, stale] of [true, true, false, true, true].entries()) {
      isStale = stale;
      await lake.publishNext(`0${round + 1}`);
      if (round > 1) await lake.fetch();
      else await expect(lake.fetch()).rejects.toThrow(expect.objectContaining({ code: "LAKE_EMPTY" }));
      expect(await lake.countPlays()).toBe(round + 1);
      if (round > 1) await lake.expectSame();
    }
  });
});
