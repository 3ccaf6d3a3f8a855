import { expect } from "vitest";
import { build } from "../../src/pipeline/build.ts";
import { Collecting, dumpCore } from "../landings/collecting.ts";
import { itInAll } from "../support/long-suite.ts";
import { publishedFigures, setNow, setUp, trueFigures } from "../support/service.ts";
import type { ChooseFault, Fault } from "./faulty-proxy.ts";
import { describeStore, newPrefix, throughProxy } from "./use-store.ts";

const dayMs = 86_400_000;

describeStore("versitygw", (endpoint) => {
  itInAll("collectors and a loader are exact through a store that keeps failing", async () => {
    const world = await setUp({ days: 5, zones: 2, playScale: 0.3 });
    const { groupIds } = world.emulator.world;
    const store = newPrefix();
    const collectors = groupIds.map((groupId) => new Collecting(world, `group-${groupId}`, [groupId]));
    const loader = new Collecting(world, "loader", groupIds);
    const start = world.emulator.now().getTime() - dayMs;
    let requests = 0;
    const faults: Fault[] = ["lost", "unsent", "500 InternalError", "503 SlowDown", "cut", "stale"];
    const choose: ChooseFault = () => {
      requests += 1;
      return requests % 7 === 0 ? faults[(requests / 7) % faults.length] : undefined;
    };
    for (const day of [0, 1]) {
      setNow(world, new Date(start + day * dayMs));
      for (const [index, collector] of collectors.entries()) {
        await throughProxy(endpoint, choose, async () => {
          await collector.collectKilled(store, { mode: index === 0 ? "walk" : "export" }, 300);
          await collector.collect(store, { mode: index === 0 ? "walk" : "export" });
        });
      }
      const { failures } = await throughProxy(endpoint, choose, () => loader.load(store));
      expect(failures).toEqual([]);
    }
    // An old listing hides landings until the next load.
    await loader.load(store);
    await build(loader.workspace());
    const figures = await publishedFigures({ ...world, ...loader.setup, emulator: world.emulator });
    expect(figures).toEqual(trueFigures(world.emulator.world, world.emulator.now()));
    const again = new Collecting(world, "again", groupIds);
    await again.load(store, { takeOver: true });
    await build(again.workspace());
    expect(await dumpCore(again.dataFolder)).toEqual(await dumpCore(loader.dataFolder));
  });
});
