import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { LakeTooNewError } from "../../../src/lake/errors.ts";
import { findManifest, type LakeFile, type MachineManifest } from "../../../src/lake/machine.ts";
import { listModels } from "../../../src/mart/model.ts";
import { softwareCommit } from "../../../src/util/files/package-files.ts";
import { itEachSampled, itInAll } from "../../support/long-suite.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { LakeMachine, readLake, song } from "./lake-machine.ts";

let lake: string;
let east: LakeMachine;
beforeEach(async () => {
  lake = join(createTempFolder(), "the [lake]");
  east = await LakeMachine.open("east-1", lake);
  await east.add(
    "play",
    song("2026-09-30 10:00:00"),
    song("2026-10-05 10:00:00", 2),
    song("2026-10-06 10:00:00"),
  );
  await east.add(
    "load",
    {
      load_id: 1,
      landing_id: "a",
      source: "export",
      kind: "music",
      group_id: 7,
      requested_at: "2026-11-20 06:00:00",
    },
    {
      load_id: 2,
      landing_id: "b",
      source: "export",
      kind: "signage",
      group_id: 7,
      requested_at: "2026-11-19 06:00:00.5",
    },
  );
  await east.add("reject", { load_id: 2, line_number: 3, reason: "invalid_json", line: "{" });
  await east.add("snapshot", { snapshot_id: 1, landing_id: "s", source: "devices", group_id: 7 });
  await east.add("device_snapshot", {
    snapshot_id: 1,
    group_id: 7,
    device_id: 70,
    zone_id: 1,
    bandwidth_kbps: 1.5,
  });
  await east.add("campaign_rule", { rule_id: 4, rrule: "FREQ=DAILY" });
  await east.add("campaign_date", { rule_id: 4, date: "2026-10-05" });
  await east.add(
    "listing_span",
    { kind: "signage", owner_kind: "group", owner_id: 7, campaign_id: 3, rule_id: 4 },
    { rule_id: null, owner_kind: "group" },
  );
  await east.add("notice", { notice_id: 5, subject: "Ö 'quoted'" });
});

it("publishes everything that models and the union of machines read, as the warehouse has it", async () => {
  const { manifest } = await east.publish();
  const ofModels = new Set(
    listModels()
      .flatMap((model) => model.reads)
      .filter((table) => table.startsWith("core.")),
  );
  expect([...ofModels].filter((table) => !(table.slice("core.".length) in manifest.tables)).sort()).toEqual([
    "core.build_setting",
    "core.restatement",
    "core.version",
  ]);
  const others = Object.keys(manifest.tables).filter((table) => !ofModels.has(`core.${table}`));
  expect(others).toEqual(["reference_file"]);
  await readLake(lake, (reader) => east.expectSame(reader));
});

it("arranges files by table, machine and month", async () => {
  const { manifest } = await east.publish();
  expect(pathsOf(manifest, "play")).toEqual([
    expect.stringMatching(/^core\/play\/machine=east-1\/month=2026-09\/[0-9a-f]{16}\/data\.parquet$/),
    expect.stringMatching(/^core\/play\/machine=east-1\/month=2026-10\/[0-9a-f]{16}\/data\.parquet$/),
  ]);
  expect(pathsOf(manifest, "calendar")).toEqual([
    expect.stringMatching(/^core\/calendar\/machine=east-1\/[0-9a-f]{16}\/data\.parquet$/),
  ]);
  expect(readdirSync(lake).sort()).toEqual(["core", "machines"]);
  expect(readdirSync(join(lake, "machines"))).toEqual(["east-1.json"]);
  expect(readdirSync(join(lake, "core")).sort()).toEqual(Object.keys(manifest.tables));
  for (const { tables } of [manifest]) {
    for (const { path, bytes } of Object.values(tables).flatMap(({ files }) => files)) {
      expect(statSync(join(lake, path)).size).toBe(bytes);
    }
  }
});

it("writes types that Hive also has, zstd, and plays by zone and time", async () => {
  await east.add("play", song("2026-10-05 09:00:00", 2), {
    ...song("2026-10-04 09:00:00", 3),
    kind: "signage",
  });
  const { manifest } = await east.publish();
  const types = new Set(
    Object.values(manifest.tables).flatMap(({ columns }) => columns.map(({ type }) => type)),
  );
  expect([...types].sort()).toEqual([
    "BIGINT",
    "BOOLEAN",
    "DATE",
    "DOUBLE",
    "INTEGER",
    "TIMESTAMP",
    "TIMESTAMP WITH TIME ZONE",
    "VARCHAR",
  ]);
  const reader = await DuckDb.open();
  const file = escaped(join(lake, pathsOf(manifest, "play")[1] ?? ""));
  for (const [table, { columns, files }] of Object.entries(manifest.tables)) {
    const described = await reader.all(
      `select column_name as name, column_type as type from (describe from read_parquet('${escaped(join(lake, files[0]?.path ?? ""))}', hive_partitioning = false))`,
    );
    expect([table, described]).toEqual([table, columns]);
  }
  expect(await reader.all(`select distinct compression from parquet_metadata('${file}')`)).toEqual([
    { compression: "ZSTD" },
  ]);
  expect(
    await reader.all(
      `select zone_id, day(played_at) as day, hour(played_at) as hour from read_parquet('${file}')`,
    ),
  ).toEqual([
    { zone_id: 1, day: 6, hour: 10 },
    { zone_id: 2, day: 5, hour: 9 },
    { zone_id: 2, day: 5, hour: 10 },
    { zone_id: 3, day: 4, hour: 9 },
  ]);
  reader.close();
});

it("records in the manifest the machine's data as of, and the content of each day", async () => {
  const { manifest } = await east.publish();
  expect(manifest).toMatchObject({
    format: 1,
    name: "east-1",
    published_at: "2026-11-21T09:00:00.000Z",
    software_version: "1.2.3",
    software_commit: softwareCommit(),
    // The older of its two kinds.
    data_as_of: "2026-11-19T06:00:00.500Z",
  });
  expect(findManifest(lake, "east-1")).toEqual(manifest);
  expect(manifest.tables.play?.days?.map(({ kind, date, plays }) => [kind, date, plays])).toEqual([
    ["music", "2026-09-30", 1],
    ["music", "2026-10-05", 1],
    ["music", "2026-10-06", 1],
  ]);
});

const changes = [
  ["its duration", "duration_secs = 101"],
  ["its artist", "artist_id = null"],
  ["the load that changed it", "last_load_id = 3"],
  ["its time", "played_at = played_at + interval 1 microsecond"],
] as const;
itEachSampled(changes, 1)("detects the day on which a play changed: %s", async ([_, change]) => {
  const { manifest: before } = await east.publish();
  await east.warehouse.run(`update core.play set ${change} where date = '2026-10-05'`);
  const { manifest: after } = await east.publish();
  const known = new Set(before.tables.play?.days?.map((day) => JSON.stringify(day)));
  const changed = after.tables.play?.days?.filter((day) => !known.has(JSON.stringify(day)));
  expect(changed?.map(({ date }) => date)).toEqual(["2026-10-05"]);
});

it("another piece for a play changes nothing", async () => {
  await east.publish();
  await east.warehouse.run("update core.play set piece_id = 12");
  expect(await east.publish()).toMatchObject({ written: 0 });
});

it("writes only what changed, next to existing files", async () => {
  const first = await east.publish();
  expect(first.written).toBe(first.files);
  expect(await east.publish()).toMatchObject({ written: 0, files: first.files, rows: first.rows });
  await east.add("play", song("2026-10-07 10:00:00"));
  await east.add("notice", { notice_id: 6 });
  const { manifest, written } = await east.publish();
  expect(written).toBe(2);
  const fresh = listPaths(manifest).filter((path) => !listPaths(first.manifest).includes(path));
  expect(fresh.map((path) => path.split("/").slice(1, 4).join("/")).sort()).toEqual([
    expect.stringMatching(/^notice\/machine=east-1/),
    "play/machine=east-1/month=2026-10",
  ]);
  // Readers of the previous manifest still find all its files.
  expect(listPaths(first.manifest).filter((path) => !existsSync(join(lake, path)))).toEqual([]);
  await readLake(lake, (reader) => east.expectSame(reader));
});

itInAll("an emptied month disappears, and later its folder", async () => {
  await east.publish();
  await east.warehouse.run("delete from core.play where date < '2026-10-01'");
  const { manifest } = await east.publish();
  expect(pathsOf(manifest, "play")).toHaveLength(1);
  expect(manifest.tables.play?.days).toHaveLength(2);
  const month = join(lake, "core/play/machine=east-1/month=2026-09");
  const [version = ""] = readdirSync(month);
  await east.publish();
  expect(existsSync(join(month, version))).toBe(true);
  ageFolder(join(month, version));
  await east.publish();
  expect(existsSync(month)).toBe(false);
  await readLake(lake, (reader) => east.expectSame(reader));
});

itInAll("without plays the table still exists", async () => {
  await east.warehouse.run("delete from core.play");
  await east.publish();
  await readLake(lake, async (reader) => {
    expect(await reader.get("select count(*) as plays, max(machine) as machine from lake.play")).toEqual({
      plays: 0,
      machine: null,
    });
    await east.expectSame(reader);
  });
});

it("keeps files that readers may use for ten minutes after its last manifest, however old they are", async () => {
  const { manifest } = await east.publish();
  for (const path of listPaths(manifest)) ageFolder(dirname(join(lake, path)));
  await east.warehouse.run("update core.play set duration_secs = 5");
  await east.publish();
  await east.warehouse.run("update core.play set duration_secs = 6");
  await east.publish();
  expect(listPaths(manifest).filter((path) => !existsSync(join(lake, path)))).toEqual([]);
});

it("returns to files written before without touching them", async () => {
  const { manifest } = await east.publish();
  await east.warehouse.run("update core.play set duration_secs = 5");
  await east.publish();
  await east.warehouse.run("update core.play set duration_secs = 100");
  const inodes = pathsOf(manifest, "play").map((path) => statSync(join(lake, path)).ino);
  const again = await east.publish();
  expect(again.written).toBe(0);
  expect(again.manifest.tables).toEqual(manifest.tables);
  expect(pathsOf(manifest, "play").map((path) => statSync(join(lake, path)).ino)).toEqual(inodes);
});

it("writes missing or damaged files again", async () => {
  const { manifest } = await east.publish();
  const [first = "", second = ""] = pathsOf(manifest, "play");
  const [notices = ""] = pathsOf(manifest, "notice");
  rmSync(dirname(join(lake, first)), { recursive: true });
  // The same size.
  const content = readFileSync(join(lake, second));
  writeFileSync(join(lake, second), content.fill(0, 20, 40));
  writeFileSync(join(lake, notices), "short");
  expect(await east.publish()).toMatchObject({ written: 3 });
  await readLake(lake, (reader) => east.expectSame(reader));
});

it("replaces an unreadable manifest, keeping its files", async () => {
  const { manifest } = await east.publish();
  writeFileSync(join(lake, "machines", "east-1.json"), "{");
  expect(await east.publish()).toMatchObject({ written: 0 });
  expect(findManifest(lake, "east-1")).toEqual(manifest);
});

it("leaves a manifest of a newer version alone", async () => {
  await east.publish();
  writeFileSync(join(lake, "machines", "east-1.json"), '{"format": 2}');
  await expect(east.publish()).rejects.toThrow(LakeTooNewError);
  expect(readFileSync(join(lake, "machines", "east-1.json"), "utf8")).toBe('{"format": 2}');
});

it("keeps machines and their ids apart", async () => {
  const west = east.as("west");
  await east.publish();
  await west.publish();
  await east.warehouse.run("delete from core.play where date < '2026-10-01'");
  await east.publish();
  await readLake(lake, async (reader) => {
    expect(
      await reader.all("select machine, count(*) as plays from lake.play group by machine order by machine"),
    ).toEqual([
      { machine: "east-1", plays: 2 },
      { machine: "west", plays: 3 },
    ]);
    for (const [table, id] of [
      ["load", "load_id"],
      ["snapshot", "snapshot_id"],
      ["campaign_rule", "rule_id"],
    ]) {
      expect(
        await reader.get(
          `select count(*) - count(distinct ${id}) as twice, max(${id}) < 1::bigint << 53 as safe from lake.${table}`,
        ),
      ).toEqual({ twice: 0, safe: true });
    }
    expect(
      await reader.get(
        "select count(*) as found from lake.play as p join lake.load as l on l.load_id = p.last_load_id and l.machine = p.machine",
      ),
    ).toEqual({ found: 5 });
    expect(
      await reader.get("select count(*) as without_rule from lake.listing_span where rule_id is null"),
    ).toEqual({ without_rule: 2 });
  });
});

it("rejects a name that collides with another machine's", async () => {
  await east.publish();
  await expect(east.as("EAST-1").publish()).rejects.toThrow(
    expect.objectContaining({ code: "MACHINE_NUMBER_TAKEN" }),
  );
  expect(readdirSync(join(lake, "machines"))).toEqual(["east-1.json"]);
});

itInAll("removes nothing from the lake that another warehouse published under the same name", async () => {
  const { manifest } = await east.publish();
  const other = east.from(await openNewWarehouse());
  await expect(other.publish()).rejects.toThrow(expect.objectContaining({ code: "LAKE_LOSS" }));
  await expect(other.publish()).rejects.toThrow(/lacks 2 loads that east-1 has published/);
  await other.add("load", { load_id: 1, landing_id: "a" }, { load_id: 2, landing_id: "b" });
  await expect(other.publish()).rejects.toThrow(/lacks 1 snapshot /);
  expect(findManifest(lake, "east-1")).toEqual(manifest);
  await other.publish({ acceptLoss: true });
  await readLake(lake, (reader) => other.expectSame(reader));
});

function pathsOf(manifest: MachineManifest, table: string): string[] {
  return (manifest.tables[table]?.files ?? []).map(({ path }: LakeFile) => path);
}

function listPaths(manifest: MachineManifest): string[] {
  return Object.keys(manifest.tables).flatMap((table) => pathsOf(manifest, table));
}

function ageFolder(folder: string): void {
  const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000);
  utimesSync(folder, elevenMinutesAgo, elevenMinutesAgo);
}

function escaped(path: string): string {
  return path.replace("[", "[[]").replaceAll("'", "''");
}
