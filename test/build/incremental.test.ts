import { expect, it, onTestFinished } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import type { DuckDb } from "../../src/engines/duckdb.ts";
import { listModels } from "../../src/engines/model.ts";
import { openWarehouse } from "../../src/engines/warehouse.ts";
import { versionAfter } from "../../src/publish/published-versions.ts";
import { recordPublished } from "../../src/publish/record-published.ts";
import { type CoreRow, insertCoreRows } from "../support/core-rows.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { buildOptions } from "./build-options.ts";

/** What history and listings say, apart from any database. */
interface World {
  plays: Map<string, CoreRow & { kind: string; date: string; duration_secs: number }>;
  assets: CoreRow[];
  names: CoreRow[];
  unit: "seconds" | "milliseconds";
}

const tables = listModels().flatMap(({ schema, table }) =>
  schema === "mart" && table !== "mart_info" && table !== "fact_restatement" ? [table] : [],
);

it.each([1, 2])(
  "50 random steps build the same mart as from nothing (seed %i)",
  async (seed) => {
    const random = randomNumbers(seed);
    const world: World = { plays: new Map(), assets: [], names: [], unit: "seconds" };
    const grown = await openTestWarehouse();
    const fresh = await openTestWarehouse();
    let version = "v000000";
    let published = new Map<string, string>();
    for (let step = 0; step < 50; step += 1) {
      const dirty = changeWorld(world, random, step);
      await write(grown, world);
      await insertCoreRows(grown, "dirty_day", dirty);
      version = versionAfter([version]);
      const summary = await buildMart(grown, { ...buildOptions, version, assetDurationUnit: world.unit });
      expect(summary.anew.length > 0).toBe(step === 0);

      // A difference stays until its day is built again, so a look after every few steps sees it too.
      if (step % 5 === 4) {
        await write(fresh, world);
        await buildMart(fresh, { ...buildOptions, assetDurationUnit: world.unit, isFull: true });
        expect(await readMart(grown), `step ${step}`).toEqual(await readMart(fresh));
      }

      expect(await restatedDays(grown, version), `step ${step}`).toEqual(
        expectedRestatements(published, sums(world)),
      );
      if (random(3) === 0) {
        await recordPublished(grown, version, buildOptions.builtAt);
        published = sums(world);
      }
    }
  },
  300_000,
);

async function openTestWarehouse(): Promise<DuckDb> {
  const warehouse = await openWarehouse({ path: ":memory:", threads: 1 });
  onTestFinished(() => warehouse.close());
  return warehouse;
}

/** Changes a few things, and answers the days that a load would mark. */
function changeWorld(world: World, random: (n: number) => number, step: number): CoreRow[] {
  const { plays, assets, names } = world;
  const dirty: CoreRow[] = [];
  const mark = ({ kind, date }: { kind: string; date: string }) => dirty.push({ kind, date });
  for (let change = 0; change < 1 + random(6); change += 1) {
    const key = [...plays.keys()][random(Math.max(1, plays.size))];
    const play = key === undefined ? undefined : plays.get(key);
    const action = random(10);
    if (action < 5 || !play || key === undefined) {
      const added = randomPlay(random);
      plays.set(`${added.kind} ${added.zone_id} ${added.played_at_local} ${added.item_id}`, added);
      mark(added);
    } else if (action < 7) {
      mark(play);
      play.duration_secs = random(40);
    } else {
      mark(play);
      plays.delete(key);
    }
  }
  if (random(4) === 0) {
    const listed = { snapshot_id: step, requested_at: `2026-11-01 00:${String(step).padStart(2, "0")}:00` };
    assets.push({
      ...listed,
      kind: "signage",
      asset_id: random(4),
      duration: random(3) === 0 ? null : random(40),
    });
  }
  if (random(4) === 0) {
    names.push({
      subject: "zone",
      kind: "",
      id: random(5),
      name: `Name ${step}`,
      last_at: `2026-11-01 01:${step}:00`,
    });
  }
  if (random(12) === 0) world.unit = world.unit === "seconds" ? "milliseconds" : "seconds";
  return dirty;
}

function randomPlay(
  random: (n: number) => number,
): CoreRow & { kind: string; date: string; duration_secs: number } {
  const day = new Date(Date.UTC(2025, 11, 1 + random(60))).toISOString().slice(0, 10);
  const kind = ["music", "signage", "messaging"][random(3)] ?? "";
  return {
    kind,
    zone_id: random(5),
    item_id: random(4),
    artist_id: kind === "music" ? random(3) : null,
    played_at_local: `${day} 1${random(10)}:00:00`,
    date: day,
    duration_secs: random(40),
  };
}

async function write(warehouse: DuckDb, { plays, assets, names }: World): Promise<void> {
  for (const [table, rows] of [
    ["play", [...plays.values()]],
    ["asset_snapshot", assets],
    ["name_span", names],
  ] as const) {
    await warehouse.run(`delete from core.${table}`);
    await insertCoreRows(warehouse, table, rows);
  }
}

async function readMart(warehouse: DuckDb): Promise<Record<string, string[]>> {
  const mart: Record<string, string[]> = {};
  for (const table of tables) {
    const rows = await warehouse.all(`select * from mart.${table}`);
    mart[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return mart;
}

/** Plays and seconds per kind and day, counted without SQL. */
function sums({ plays }: World): Map<string, string> {
  const totals = new Map<string, [plays: number, seconds: number]>();
  for (const { kind, date, duration_secs: seconds } of plays.values()) {
    if (seconds === 0) continue;
    const [count, sum] = totals.get(`${kind} ${date}`) ?? [0, 0];
    totals.set(`${kind} ${date}`, [count + 1, sum + seconds]);
  }
  return new Map([...totals].map(([day, [count, seconds]]) => [day, `${count} ${seconds}`]));
}

function expectedRestatements(before: Map<string, string>, after: Map<string, string>): string[] {
  const lastDate = (kind: string) =>
    [...before.keys()]
      .flatMap((day) => (day.startsWith(`${kind} `) ? (day.split(" ")[1] ?? "") : []))
      .sort()
      .at(-1);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((day) => before.get(day) !== after.get(day))
    .filter((day) => {
      const [kind = "", date = ""] = day.split(" ");
      return date <= (lastDate(kind) ?? "");
    })
    .map((day) => `${day}: ${before.get(day)?.split(" ")[0] ?? 0} → ${after.get(day)?.split(" ")[0] ?? 0}`)
    .sort();
}

async function restatedDays(warehouse: DuckDb, version: string): Promise<string[]> {
  const rows = await warehouse.all(
    "select kind, date, plays_before, plays_after from mart.fact_restatement where version = ?",
    [version],
  );
  return rows.map((row) => `${row.kind} ${row.date}: ${row.plays_before} → ${row.plays_after}`).sort();
}
