import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { LakeDamagedError, LakeTooNewError } from "../../src/lake/errors.ts";
import type { MachineManifest } from "../../src/lake/machine.ts";
import { openLake } from "../../src/lake/read-lake.ts";
import { LakeMachine, readLake, song } from "../publish/lake/lake-machine.ts";
import { itEachSampled } from "../support/long-suite.ts";
import { createTempFolder } from "../support/temp-folder.ts";

let lake: string;
let east: LakeMachine;
beforeEach(async () => {
  lake = join(createTempFolder(), "lake");
  east = await LakeMachine.open("east", lake);
  await east.add("play", song("2026-10-05 10:00:00"));
  await east.warehouse.run("update core.play set played_at = played_at + interval 123456 microseconds");
  await east.add("group_name", { group_id: 7, group_name: "East" });
});

it("reads the current data of all machines without writing to the open database", async () => {
  await east.publish();
  const path = join(createTempFolder(), "other.duckdb");
  const other = await DuckDb.open({ path });
  await openLake(other, lake);
  await east.add("play", song("2026-10-06 10:00:00"));
  await east.publish();
  expect(await other.all("select machine, played_at, typeof(played_at) as type from lake.play")).toEqual([
    { machine: "east", played_at: "2026-10-05 10:00:00.123456", type: "TIMESTAMP" },
  ]);
  await other.run("create table kept as select * from lake.group_name");
  other.close();
  const again = await DuckDb.open({ path, readOnly: true });
  expect(
    await again.all(
      "select database_name, table_name from duckdb_tables() union all select database_name, view_name from duckdb_views() where not internal",
    ),
  ).toEqual([{ database_name: "other", table_name: "kept" }]);
  again.close();
});

it("a machine with an older version has nulls in a new column, and no rows in a new table", async () => {
  await east.publish();
  await east.as("west").publish();
  changeManifest("east", ({ tables }) => {
    const groups = tables.group_name;
    if (groups) groups.columns = groups.columns.filter(({ name }) => name !== "group_name");
    delete tables.component;
  });
  await readLake(lake, async (reader) => {
    expect(
      await reader.all("select machine, group_id, group_name from lake.group_name order by machine"),
    ).toEqual([
      { machine: "east", group_id: 7, group_name: null },
      { machine: "west", group_id: 7, group_name: "East" },
    ]);
    expect(await reader.all("select * from lake.component")).toEqual([]);
  });
});

it("reports that nothing is published yet", async () => {
  await expect(open()).rejects.toThrow(expect.objectContaining({ code: "LAKE_EMPTY" }));
  mkdirSync(join(lake, "machines"), { recursive: true });
  await expect(open()).rejects.toThrow(expect.objectContaining({ code: "LAKE_EMPTY" }));
});

const damages: [string, (manifest: MachineManifest) => unknown][] = [
  ["not JSON", () => "{"],
  ["not an object", () => "[]"],
  ["another machine's name", (manifest) => ({ ...manifest, name: "west" })],
  ["no tables", ({ tables: _, ...manifest }) => manifest],
  ["a path outside the lake", (manifest) => withPath(manifest, "../../etc/data.parquet")],
  [
    "an unknown type",
    (manifest) => ({ ...manifest, tables: { play: { columns: [{ name: "x", type: "BLOB" }], files: [] } } }),
  ],
];

itEachSampled(damages, 2)("reports a damaged manifest: %s", async ([_label, damage]) => {
  const { manifest } = await east.publish();
  const content = damage(manifest);
  const path = join(lake, "machines", "east.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  await expect(open()).rejects.toThrow(LakeDamagedError);
  await expect(open()).rejects.toThrow(path);
});

it("reports a manifest of a newer version", async () => {
  await east.publish();
  changeManifest("east", (manifest) => Object.assign(manifest, { format: 2 }));
  await expect(open()).rejects.toThrow(LakeTooNewError);
});

it("rejects two machines whose ids would collide, whichever came first", async () => {
  const { manifest } = await east.publish();
  writeFileSync(join(lake, "machines", "EAST.json"), JSON.stringify({ ...manifest, name: "EAST" }));
  await expect(open()).rejects.toThrow(expect.objectContaining({ code: "MACHINE_NUMBER_TAKEN" }));
});

async function open(): Promise<void> {
  await readLake(lake, async () => {});
}

function withPath(manifest: MachineManifest, path: string): object {
  const file = { path, rows: 1, bytes: 1, sha256: "" };
  return { ...manifest, tables: { calendar: { columns: manifest.tables.calendar?.columns, files: [file] } } };
}

function changeManifest(machine: string, change: (manifest: MachineManifest) => void): void {
  const path = join(lake, "machines", `${machine}.json`);
  const manifest = JSON.parse(readFileSync(path, "utf8")) as MachineManifest;
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
}
