import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { describeLake } from "../../../src/lake/describe-lake.ts";
import { fetchLake } from "../../../src/lake/fetch-lake.ts";
import { assertNoLostManifests } from "../../../src/lake/stored-lake.ts";
import { forgetStoredMachine } from "../../../src/publish/lake/forget-stored-machine.ts";
import { publishStoredLake } from "../../../src/publish/lake/publish-stored-lake.ts";
import { openStorage } from "../../../src/storage/open-storage.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { silentLogger as logger } from "../../../src/util/logger.ts";
import { interrupted } from "../../storage/interrupted-storage.ts";
import { share } from "../../support/long-suite.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { LakeMachine, readLake, song } from "./lake-machine.ts";

/** Tests of a lake in a store, for any kind of storage. */
export function testStoredLake(createTarget: () => string): void {
  let storage: Storage;
  let folder: string;
  let east: LakeMachine;
  beforeEach(async () => {
    storage = await openStorage(createTarget());
    folder = createTempFolder();
    east = await open("east", 1);
  });

  /** Opens a machine with a play, and the load and snapshot that it came from. */
  async function open(name: string, load: number): Promise<LakeMachine> {
    const machine = await LakeMachine.open(name, folder);
    await addLoad(machine, load);
    return machine;
  }

  const publish = (machine = east, options: { storage?: Storage; acceptLoss?: boolean } = {}) =>
    publishStoredLake(machine.warehouse, {
      ...{ storage, machine: machine.name, now: new Date(), softwareVersion: "1.2.3", logger },
      ...{ tempFolder: createTempFolder(), ...options },
    });

  const fetch = async (limitBytes = 1e9) => {
    const fetched: string[] = [];
    await fetchLake(storage, folder, { limitBytes, onProgress: (path) => fetched.push(path) });
    return fetched;
  };

  const countLoads = () =>
    readLake(folder, async (reader) => {
      const rows = await reader.all<{ machine: string; loads: number }>(
        "select machine, count(*) as loads from lake.load group by machine order by machine",
      );
      return Object.fromEntries(rows.map(({ machine, loads }) => [machine, loads]));
    });

  it("machines publish, and a builder gets exactly their rows and downloads only new files", async () => {
    const west = await open("west", 1);
    const first = await publish();
    expect(first.written).toBe(first.files);
    await publish(west);
    expect((await fetch()).length).toBe(first.files * 2);
    for (const machine of [east, west]) await readLake(folder, (reader) => machine.expectSame(reader));
    expect(await fetch()).toEqual([]);

    await addLoad(east, 2);
    const { written } = await publish();
    expect(written).toBeLessThan(8);
    expect((await fetch()).length).toBe(written);
    await readLake(folder, (reader) => east.expectSame(reader));
    expect((await publish()).written).toBe(0);
    const { machines } = await describeLake(storage);
    expect(machines.map(({ machine, plays }) => [machine, plays])).toEqual([
      ["east", 2],
      ["west", 1],
    ]);
  });

  it("machines that publish at the same time lose nothing", async () => {
    const rounds = share(3, 20, 200);
    const machines = [east, await open("west", 1)];
    await Promise.all(
      machines.map(async (machine) => {
        for (let load = 2; load <= rounds; load += 1) {
          await addLoad(machine, load);
          await publish(machine);
        }
      }),
    );
    await fetch();
    expect(await countLoads()).toEqual({ east: rounds, west: rounds });
  });

  it("two machines that share a name do not overwrite each other", async () => {
    const other = await open("east", 1);
    await addLoad(other, 2);
    let overtaking: Promise<unknown> | undefined;
    const slow = interrupted(storage, async (method, key) => {
      if (method !== "put" || key !== "machines/east.json") return;
      overtaking ??= publish(other);
      await overtaking;
    });
    const overtaken = publish(east, { storage: slow });
    await expect(overtaken).rejects.toThrow(
      expect.objectContaining({ code: "LAKE_OVERTAKEN", category: "busy" }),
    );
    await expect(overtaken).rejects.toThrow(/published under the same name at 20.* choose another one/);
    await fetch();
    expect(await countLoads()).toEqual({ east: 2 });
    await expect(publish()).rejects.toThrow(
      expect.objectContaining({ code: "LAKE_LOSS", category: "damage" }),
    );
    await publish(east, { acceptLoss: true });
    await fetch();
    expect(await countLoads()).toEqual({ east: 1 });
  });

  it("after a kill at any step, a builder gets a consistent lake, and the next publish is complete", async () => {
    await publish();
    await addLoad(east, 2);
    let last: number | undefined;
    for (let kills = 0; last === undefined; kills += share(3, 1, 1)) {
      let steps = 0;
      const killed = interrupted(storage, (method) => {
        steps += 1;
        if (!method.startsWith("find") && steps > kills) throw new Error("killed");
      });
      const error: unknown = await publish(east, { storage: killed }).catch((thrown) => thrown);
      if (!(error instanceof Error)) last = kills;
      else expect(error.message).toBe("killed");
      await fetch();
      expect([1, 2]).toContain((await countLoads()).east);
    }
    expect(last).toBeGreaterThan(6);
    await readLake(folder, (reader) => east.expectSame(reader));
  });

  it("removes replaced files after ten minutes", async () => {
    const before = await listFiles();
    await publish();
    const first = await listFiles();
    for (const load of [2, 3]) {
      await addLoad(east, load);
      await publish();
    }
    expect(before).toEqual([]);
    expect(await listFiles()).toEqual(expect.arrayContaining(first));
    const text = (await storage.find("machines/east.json"))?.content.toString() ?? "";
    const manifest = JSON.parse(text);
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    for (const file of manifest.retired) if (file.retired_at) file.retired_at = anHourAgo;
    await storage.put("machines/east.json", JSON.stringify(manifest));
    await addLoad(east, 4);
    await publish();
    const left = await listFiles();
    const load = (files: readonly string[]) => files.filter((key) => key.startsWith("core/load/"));
    expect([load(first).length, load(left).length]).toEqual([1, 3]);
    expect(left).not.toContain(load(first)[0]);
  });

  const listFiles = async () => {
    const keys: string[] = [];
    for await (const { key } of storage.list("core/")) keys.push(key);
    return keys;
  };

  it("forgets a machine, and detects a manifest that was lost", async () => {
    await publish();
    await publish(await open("west", 1));
    await fetch();
    await storage.delete(["machines/west.json"]);
    await expect(assertNoLostManifests(storage, ["north", "west"])).rejects.toThrow(
      expect.objectContaining({ code: "LAKE_DAMAGED", machine: "west" }),
    );
    const { files } = await forgetStoredMachine(storage, "west");
    expect(files).toBeGreaterThan(10);
    await assertNoLostManifests(storage, ["north", "west"]);
    await fetch();
    expect(readdirSync(join(folder, "core", "load"))).toEqual(["machine=east"]);
    await expect(forgetStoredMachine(storage, "West")).rejects.toThrow(
      expect.objectContaining({ code: "UNKNOWN_MACHINE" }),
    );
  });

  it("names what is wrong with a lake", async () => {
    await expect(fetch()).rejects.toThrow(expect.objectContaining({ code: "LAKE_EMPTY" }));
    const { manifest } = await publish();
    await expect(fetch(1000)).rejects.toThrow(/has 0\.1 GB, and VENUE_LAKE_CACHE_GB allows 0\.1 GB/);
    const path = manifest.tables.load?.files[0]?.path ?? "";
    const content = (await storage.find(path))?.content ?? Buffer.of();
    const damages: [() => Promise<unknown>, RegExp][] = [
      [() => storage.delete([path]), /is missing\. Run `venue publish/],
      [() => storage.put(path, "short"), /has 5 bytes, not \d+/],
      [() => storage.put(path, Buffer.alloc(content.length)), /other content/],
      [() => storage.put("machines/east.json", "{}"), /is not a manifest/],
    ];
    for (const [damage, message] of damages) {
      await damage();
      const failed = fetch();
      await expect(failed).rejects.toThrow(
        expect.objectContaining({ code: "LAKE_DAMAGED", machine: "east" }),
      );
      await expect(failed).rejects.toThrow(message);
    }
    await publish();
    await storage.put(path, content);
    await fetch();
    writeFileSync(join(folder, path), "cut");
    expect(await fetch()).toEqual([path]);
    expect(await countLoads()).toEqual({ east: 1 });
  });

  it("a new warehouse does not replace what an earlier one has published", async () => {
    await publish();
    const renewed = east.from(await openNewWarehouse());
    await expect(publish(renewed)).rejects.toThrow(expect.objectContaining({ code: "LAKE_LOSS" }));
  });
}

async function addLoad(machine: LakeMachine, number: number): Promise<void> {
  const day = String(number % 28).padStart(2, "0");
  const at = { source: "export", kind: "music", group_id: 7, requested_at: "2026-11-20 04:00:00" };
  await machine.add("load", { ...at, load_id: number, landing_id: `l${number}`, is_complete: true });
  await machine.add("snapshot", { ...at, snapshot_id: number, landing_id: `s${number}` });
  await machine.add("play", song(`2026-10-${day} 10:00:${String(number % 60).padStart(2, "0")}`));
}
