import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../src/pipeline/build.ts";
import { syncHere } from "../pipeline/sync-workspace.ts";
import { itEachLimited, itInAll, share } from "../support/long-suite.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { publishedFigures, setNow, setUp, trueFigures } from "../support/service.ts";
import { Collecting, dumpCore, dumpPublished } from "./collecting.ts";

const dayMs = 86_400_000;
// The first has the fewest collectors.
const seeds = [3, ...Array.from({ length: 20 }, (_, index) => index + 1).filter((seed) => seed !== 3)];
const days = share([0, 3], [0, 1, 2, 3], [0, 1, 2, 3]);

itEachLimited(
  seeds,
  1,
  20,
)("landings loaded late and in any order give what they give in order: world %i", async (seed) => {
  const random = randomNumbers(seed);
  const world = await setUp({ days: 6, zones: 2 + random(2), playScale: 0.2, seed });
  const [eastern = 0, western = 0] = world.emulator.world.groupIds;
  const both = [eastern, western];
  const store = join(world.workingFolder, "store");
  const aside = join(world.workingFolder, "aside");
  const collectors = [
    new Collecting(world, "east", [eastern]),
    new Collecting(world, "west", [western]),
    ...(random(2) === 0
      ? [
          new Collecting(world, "both", both),
          new Collecting(world, "again", [eastern]),
          // Its clock is wrong; the service's is used.
          new Collecting(world, "skewed", [western], (3 * random(2) - 1) * dayMs),
        ]
      : []),
  ];
  const late = collectors[random(collectors.length)] as Collecting;
  const loader = new Collecting(world, "loader", both);
  const start = world.emulator.now().getTime() - 4 * dayMs;
  for (const day of days) {
    for (const collector of collectors) {
      // The collectors collect at different times, except on the last day.
      setNow(world, new Date(start + day * dayMs + (day === 3 ? 3600 : random(3600)) * 1000));
      const mode = (["auto", "export", "walk"] as const)[random(3)];
      const to = collector === late && day < 3 ? aside : store;
      if (random(4) === 0) await collector.collectKilled(to, { mode }, random(40));
      await collector.collect(to, { mode });
    }
    // The late collector's landings arrive after three days.
    if (day === 3) cpSync(aside, store, { recursive: true, filter: (path) => !path.endsWith("loader.json") });
    if (random(2) === 0 || day === 3) {
      await loader.loadKilled(store, random(400));
      await loader.load(store);
      await build(loader.workspace());
    }
  }
  const ordered = new Collecting(world, "ordered", both);
  await ordered.load(store, { takeOver: true });
  await build(ordered.workspace());
  expect(await dumpCore(loader.dataFolder)).toEqual(await dumpCore(ordered.dataFolder));
  expect(await dumpPublished(loader.dataFolder)).toEqual(await dumpPublished(ordered.dataFolder));
  const figures = await publishedFigures({ ...world, ...loader.setup, emulator: world.emulator });
  expect(figures).toEqual(trueFigures(world.emulator.world, world.emulator.now()));
});

it("two collectors and a loader publish what one machine would", async () => {
  const world = await setUp({ days: 4, zones: 2, playScale: 0.2 });
  const { groupIds } = world.emulator.world;
  const store = join(world.workingFolder, "store");
  const collectors = groupIds.map((groupId) => new Collecting(world, `group-${groupId}`, [groupId]));
  const loader = new Collecting(world, "loader", groupIds);
  const alone = new Collecting(world, "alone", groupIds);
  const start = world.emulator.now().getTime() - 2 * dayMs;
  for (const day of share([2], [0, 2], [0, 2])) {
    setNow(world, new Date(start + day * dayMs));
    await syncHere({ ...world, ...alone.setup }, { mode: "export" });
    for (const collector of collectors) await collector.collect(store, { mode: "export" });
    await loader.load(store);
    await build(alone.workspace());
    await build(loader.workspace());
  }
  expect(await dumpPublished(loader.dataFolder)).toEqual(await dumpPublished(alone.dataFolder));
});

itInAll("a collector whose clock is days ahead gives what one with the service's clock gives", async () => {
  const world = await setUp({ days: 4, zones: 2, playScale: 0.2 });
  const { groupIds } = world.emulator.world;
  const start = world.emulator.now().getTime() - 2 * dayMs;
  const dumps = [];
  for (const aheadDays of [0, 3]) {
    const store = join(world.workingFolder, `store-${aheadDays}`);
    const collector = new Collecting(world, `collector-${aheadDays}`, groupIds, aheadDays * dayMs);
    const loader = new Collecting(world, `loader-${aheadDays}`, groupIds);
    for (const day of [0, 1, 2]) {
      setNow(world, new Date(start + day * dayMs));
      await collector.collect(store, { mode: day === 0 ? "export" : "walk" });
    }
    await loader.load(store);
    await build(loader.workspace());
    dumps.push(await dumpPublished(loader.dataFolder));
  }
  expect(dumps[1]).toEqual(dumps[0]);
});
