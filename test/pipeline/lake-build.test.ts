import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Manifest } from "../../src/mart/manifest.ts";
import { itInAll } from "../support/long-suite.ts";
import { Machine } from "../support/machine.ts";
import { publishedFigures, setNow, setUp, trueFigures } from "../support/service.ts";

const dayMs = 86_400_000;

/** All tables published by a machine, as text, without machine-dependent values. */
async function publishedBy(machine: Machine): Promise<Record<string, string[]>> {
  const folder = join(machine.setup.dataFolder, "published", "current");
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const tables: Record<string, string[]> = {};
  for (const table of Object.keys(manifest.tables)) {
    const { stdout } = await machine.run("query", `select * from ${table}`, "--format", "json");
    const rows: Record<string, unknown>[] = JSON.parse(stdout);
    const texts = rows.map((row) => JSON.stringify(withoutMachine(table, row))).sort();
    // Each machine requests the status API and the shared zones.
    tables[table] = table === "fact_snapshot" ? [...new Set(texts)] : texts;
  }
  return tables;
}

/** Ids and instants of loads and snapshots, which do not affect figures. */
const ofMachines: Readonly<Record<string, readonly string[]>> = {
  fact_load: ["load_id", "loaded_at", "new_plays", "changed", "unchanged", "vanished"],
  fact_reject: ["load_id"],
  fact_snapshot: ["snapshot_id", "loaded_at"],
  fact_listed_campaign: ["rule_id"],
  fact_rule_date: ["rule_id"],
  fact_rule_ended_day: ["rule_id"],
  mart_info: ["version", "published_at"],
};

function withoutMachine(table: string, row: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !ofMachines[table]?.includes(name)));
}

itInAll(
  "a lake of machines that share the groups is built as if one had collected everything",
  async () => {
    const world = await setUp({ days: 9, zones: 4 });
    const { emulator } = world;
    const [eastern = 0, western = 0] = emulator.world.groupIds;
    const lake = join(world.workingFolder, "lake");
    const alone = new Machine(world, "alone", emulator.world.groupIds);
    const east = new Machine(world, "east", [eastern]);
    const west = new Machine(world, "west", [western]);
    const builder = new Machine(world, "builder", []);
    const collect = async () => {
      // Left alone, each may choose a different way of collecting.
      await alone.run("sync", "--mode", "export");
      for (const [name, machine] of Object.entries({ east, west })) {
        await machine.run("sync", "--mode", "export");
        await machine.run("publish", "--layer", "core", "--source", name, "--to", lake);
      }
    };
    const compare = async () => {
      const { dirty_days: dirtyDays } = JSON.parse((await alone.run("build", "--json")).stdout);
      const expected = await publishedBy(alone);
      expect(Object.keys(expected).length).toBeGreaterThan(25);
      const found = await publishedBy(builder);
      for (const [table, rows] of Object.entries(expected)) expect(found[table], table).toEqual(rows);
      expect(await publishedFigures(builder.setup)).toEqual(trueFigures(emulator.world, emulator.now()));
      return dirtyDays;
    };

    setNow(world, new Date(emulator.now().getTime() - 4 * dayMs));
    await collect();
    const { stdout } = await builder.run("build", "--lake", lake);
    expect(stdout).toContain("From the lake: east, west.");
    await compare();

    setNow(world, new Date(emulator.now().getTime() + 2 * dayMs));
    await collect();
    const more = JSON.parse((await builder.run("build", "--lake", lake, "--json")).stdout);
    expect(more.machines).toEqual(["east", "west"]);
    const dirtyDays = await compare();
    expect(more.dirty_days).toBe(dirtyDays);
    const again = JSON.parse((await builder.run("build", "--lake", lake, "--json")).stdout);
    expect(again.dirty_days).toBe(0);

    await builder.run("check");
    const page = await builder.run("report", "plays", "--format", "json");
    expect(page.stdout).toBe((await alone.run("report", "plays", "--format", "json")).stdout);

    await east.run("lake", "forget", "west", "--lake", lake);
    const { stderr } = await builder.run("build", "--lake", lake);
    expect(stderr).toContain("west is no longer in the lake");
    await east.run("build");
    expect(await publishedFigures(builder.setup)).toEqual(await publishedFigures(east.setup));
  },
  300_000,
);
