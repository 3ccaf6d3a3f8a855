import { cpSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { findLosses } from "../../src/publish/find-losses.ts";
import { buildOptions } from "../build/build-options.ts";
import { insertCoreRows } from "../support/core-rows.ts";
import { itEachSampled, itInAll } from "../support/long-suite.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

const openPublished = PublishedWarehouse.prepareCopies(async (empty) => {
  await empty.addPlays([
    song("2026-10-05 10:00:00"),
    song("2026-10-07 10:00:00", 2),
    song("2026-10-07 11:00:00"),
    song("2026-10-31 10:00:00"),
  ]);
  await empty.buildAndPublish();
});

let published: PublishedWarehouse;
beforeEach(async () => {
  published = await openPublished();
});

async function openSuccessor(): Promise<PublishedWarehouse> {
  const { warehouse } = await PublishedWarehouse.open();
  return published.publishingFrom(warehouse);
}

function shownVersion(): string {
  return readlinkSync(join(published.folder, "current"));
}

it("rejects a warehouse without plays, and readers keep the current version", async () => {
  const successor = await openSuccessor();
  const failure = await successor.buildAndPublish().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "LOST_DATA", category: "damage" });
  expect(String(failure)).toContain(
    "fact_play: 4 rows before, 0 now; no rows left for 3 days, 2026-10-05 to 2026-10-31",
  );
  expect(shownVersion()).toBe("v000001");
});

itInAll("a new warehouse with other days and as many rows still lacks a day", async () => {
  const successor = await openSuccessor();
  await successor.addPlays([
    ...["2026-10-05 10:00:00", "2026-10-05 12:00:00", "2026-10-05 13:00:00"].map((at) => song(at)),
    ...["2026-10-31 10:00:00", "2026-11-02 10:00:00"].map((at) => song(at)),
  ]);
  await expect(successor.buildAndPublish()).rejects.toThrow(
    /fact_play: 4 rows before, 5 now; no rows left for 2026-10-07\n/,
  );
});

it("a new warehouse with all plays is as good as the previous one", async () => {
  const successor = await openSuccessor();
  await successor.addPlays(["05 10", "07 10", "07 11", "31 10"].map((hour) => song(`2026-10-${hour}:00:00`)));
  expect((await successor.buildAndPublish()).version).toBe("v000002");
});

itInAll("an accepted loss is published and accepted permanently", async () => {
  const successor = await openSuccessor();
  await successor.addPlays([song("2026-10-05 10:00:00")]);
  await successor.publish(await successor.build(), { acceptLoss: true });
  expect(shownVersion()).toBe("v000002");
  await successor.addPlays([song("2026-10-06 10:00:00")]);
  const { manifest } = await successor.buildAndPublish();
  expect([manifest.version, manifest.tables.fact_play?.rows]).toEqual(["v000003", 2]);
});

itInAll("an older copy of the warehouse lacks data published after it", async () => {
  const copy = await openSuccessor();
  for (const table of ["play", "version"]) {
    for (const row of await published.warehouse.all(`select * from core.${table}`)) {
      const values = Object.values(row).map((value) => value as string);
      await copy.warehouse.run(
        `insert into core.${table} values (${values.map(() => "?").join(", ")})`,
        values,
      );
    }
  }
  await published.addPlays([song("2026-11-02 10:00:00")]);
  await published.buildAndPublish();
  await expect(copy.buildAndPublish()).rejects.toThrow(
    "fact_play: 5 rows before, 4 now; no rows left for 2026-11-02",
  );
});

itInAll("the publishing warehouse cannot remove a day of plays, however recent", async () => {
  const { warehouse } = published;
  await warehouse.run("delete from core.play where date = '2026-10-07'");
  await published.markDirty(["2026-10-07"]);
  const failure = await published.buildAndPublish().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "LOST_DATA" });
  expect(String(failure)).toContain(
    "fact_play: 4 rows before, 2 now; 2 of 2 music plays of 2026-10-07 are missing\n",
  );
  expect(shownVersion()).toBe("v000001");
  await published.publish(await published.build(), { acceptLoss: true });
  expect(shownVersion()).not.toBe("v000001");
  await warehouse.run("delete from core.play");
  await expect(published.buildAndPublish(true)).rejects.toThrow("fact_play: 2 rows before, 0 now");
});

itInAll("a completely missing month is lost, although all other files are the same", async () => {
  await published.addPlays([song("2026-11-02 10:00:00"), song("2026-11-03 10:00:00")]);
  await published.buildAndPublish();
  await published.warehouse.run("delete from core.play where date >= '2026-11-01'");
  await published.markDirty(["2026-11-02", "2026-11-03"]);
  await expect(published.buildAndPublish()).rejects.toThrow(
    "fact_play: 6 rows before, 4 now; 1 of 1 music plays of 2026-11-02 are missing; 1 of 1 music plays of 2026-11-03 are missing\n",
  );
  expect(shownVersion()).toBe("v000002");
});

const lacking: readonly [
  label: string,
  date: string,
  plays: number,
  taken: number,
  told: string | undefined,
][] = [
  ["settled, two of 100", "2026-10-05", 100, 2, "2 of 100 music plays of 2026-10-05 are missing"],
  ["not settled, all but one", "2026-11-19", 50, 49, undefined],
  ["settled, one of 100: tolerated", "2026-10-05", 100, 1, undefined],
  ["settled, one of 50", "2026-10-05", 50, 1, "1 of 50 music plays of 2026-10-05 are missing"],
  ["not settled, all", "2026-11-19", 50, 50, "50 of 50 music plays of 2026-11-19 are missing"],
];
itEachSampled(lacking, 1)("a day that lacks plays: %s", async ([_label, date, plays, taken, told]) => {
  const { warehouse } = published;
  const answer = { load_id: 1, source: "export", kind: "music", group_id: 1, is_complete: true };
  await insertCoreRows(warehouse, "load", [{ ...answer, requested_at: "2026-11-20 04:00:00" }]);
  await warehouse.run("delete from core.play");
  const at = (second: number) =>
    `${date} 12:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}`;
  await published.addPlays([
    ...Array.from({ length: plays }, (_, second) => song(at(second))),
    song("2026-11-01 10:00:00"),
  ]);
  await published.publish(await published.build(true), { acceptLoss: true });
  await warehouse.run(
    "delete from core.play where date = cast(? as date) and extract('minute' from played_at) * 60 + extract('second' from played_at) < ?",
    [date, taken],
  );
  await published.markDirty([date]);
  const publishing = published.buildAndPublish();
  if (told === undefined) await publishing;
  else await expect(publishing).rejects.toThrow(told);
});

itInAll("plays that moved to another day are not lost", async () => {
  const { warehouse } = published;
  await warehouse.run(
    "update core.play set date = '2026-10-06', played_at_local = played_at_local - interval 12 hour, utc_offset_minutes = -720 where date = '2026-10-07'",
  );
  await published.markDirty(["2026-10-06", "2026-10-07"]);
  const { manifest } = await published.buildAndPublish();
  expect([manifest.version, manifest.tables.fact_play?.rows]).toEqual(["v000002", 4]);
});

it("compares every fact except derived ones, and what listings showed", async () => {
  const { folder, manifest } = await published.buildAndPublish();
  const shown = Object.fromEntries(
    Object.entries(manifest.tables).map(([name, table]) => [name, { ...table, rows: 5, files: [] }]),
  );
  const { warehouse } = await openSuccessor();
  const losses = await findLosses(
    warehouse,
    { folder, manifest: { ...manifest, tables: shown } },
    { folder, manifest },
  );
  const others = [
    "fact_play_day",
    "fact_play_item_day",
    "fact_play_month",
    "fact_play_zone_day",
    "fact_play_zone_hour",
    "fact_zone_uptime",
    "fact_zone_opening",
    "fact_zone_day_listing",
    "fact_rule_date",
    "fact_rule_ended_day",
    "fact_zone_hours",
    "fact_clock_change",
    "fact_freshness",
  ];
  expect(losses.map(({ table }) => table).sort()).toEqual(
    [
      ...Object.keys(shown).filter((table) => table.startsWith("fact_") && !others.includes(table)),
      ...["dim_campaign", "dim_device", "dim_notice"],
    ].sort(),
  );
});

itInAll(
  "a version published by another warehouse under the same number lends no file to the next one",
  async () => {
    const other = await openPublished();
    await other.addPlays([song("2026-10-08 10:00:00")]);
    const builtAt = new Date(buildOptions.builtAt.getTime() + 1);
    await buildMart(other.warehouse, { ...buildOptions, version: "v000002", builtAt });
    await other.publish("v000002");
    await published.addPlays([song("2026-10-06 10:00:00")]);
    await published.buildAndPublish();
    rmSync(published.folder, { recursive: true });
    cpSync(other.folder, published.folder, { recursive: true, verbatimSymlinks: true });

    await published.addPlays([song("2026-11-01 10:00:00")]);
    const version = await published.build();
    await expect(published.publish(version)).rejects.toThrow(/no rows left for 2026-10-08\n/);
    await published.publish(version, { acceptLoss: true });
    const dates = "select date::varchar as date from read_parquet('{}/fact_play/**/*.parquet') order by 1";
    expect((await published.read<{ date: string }>(dates)).map(({ date }) => date)).toEqual(
      ["10-05", "10-06", "10-07", "10-07", "10-31", "11-01"].map((day) => `2026-${day}`),
    );
  },
);
