import { beforeEach, expect, it } from "vitest";
import { findChangedDays, listDays, rememberDays } from "../../../src/build/lake/lake-days.ts";
import type { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import type { MachineManifest } from "../../../src/lake/machine.ts";
import { addDays } from "../../../src/util/local-date.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";

let warehouse: DuckDb;
beforeEach(async () => {
  warehouse = await openNewWarehouse();
});

/** What a machine publishes that has these plays: by kind and date, with what stands for them. */
function machine(name: string, days?: Record<string, string>, plays = 10): MachineManifest {
  const list = Object.entries(days ?? {}).map(([day, fingerprint]) => {
    const [kind = "", date = ""] = day.split(" ");
    return { kind, date, plays, fingerprint };
  });
  return {
    ...{ format: 1, name, published_at: "2026-03-10T06:00:00Z", software_version: "1.2.3" },
    ...{ software_commit: null, data_as_of: null },
    tables: days === undefined ? {} : { play: { columns: [], files: [], days: list } },
  };
}

/** A year of days. */
const manyDays = Object.fromEntries(
  Array.from({ length: 365 }, (_, index) => [`music ${addDays("2026-01-01", index)}`, `a${index}`]),
);

async function changed(machines: readonly MachineManifest[], isAll = false): Promise<string[]> {
  const days = await findChangedDays(warehouse, machines, isAll);
  return days.map(({ kind, date }) => `${kind} ${date}`).sort();
}

it("counts the plays of all machines on a day, and of each kind for itself", () => {
  const machines = [
    machine("east", { "music 2026-03-01": "a", "signage 2026-03-01": "b" }),
    machine("north"),
    machine("west", { "music 2026-03-01": "c", "music 2026-03-02": "d" }, 5),
  ];
  expect(listDays(machines)).toEqual([
    { kind: "music", date: "2026-03-01", plays: 15 },
    { kind: "signage", date: "2026-03-01", plays: 10 },
    { kind: "music", date: "2026-03-02", plays: 5 },
  ]);
});

it("finds the days that are new, other than before, or gone", async () => {
  const west = machine("west", { "music 2026-03-01": "w", "music 2026-03-09": "w" });
  await rememberDays(warehouse, [
    machine("east", { "music 2026-03-01": "a", "music 2026-03-02": "b", "signage 2026-03-02": "c" }),
    west,
  ]);
  const now = [
    machine("east", { "music 2026-03-02": "B", "signage 2026-03-02": "c" }),
    machine("north"),
    west,
  ];
  expect(await changed(now)).toEqual(["music 2026-03-01", "music 2026-03-02"]);
  expect(await changed(now, true)).toEqual([
    ...["music 2026-03-01", "music 2026-03-02", "music 2026-03-09", "signage 2026-03-02"],
  ]);
  expect(await changed([])).toHaveLength(4);
  await rememberDays(warehouse, now);
  expect(await changed(now)).toEqual([]);
});

it("remembers a year of days, and then what became of it", async () => {
  await rememberDays(warehouse, [machine("east", manyDays)]);
  expect(await changed([machine("east", manyDays)])).toEqual([]);
  const others = Object.fromEntries(Object.keys(manyDays).map((day) => [day, "b"]));
  const now = [machine("east", others)];
  expect(await changed(now)).toEqual(Object.keys(manyDays));
  await rememberDays(warehouse, now);
  expect(await changed(now)).toEqual([]);
  expect((await warehouse.get("select count(*) as days from core.lake_day")).days).toBe(365);
});

it("a day that one machine changed is still remembered of another one", async () => {
  const west = machine("west", { "music 2026-03-01": "w" });
  await rememberDays(warehouse, [machine("east", { "music 2026-03-01": "a" }), west]);
  await rememberDays(warehouse, [machine("east", { "music 2026-03-01": "b" }), west]);
  expect(
    await warehouse.all("select machine, kind, date, fingerprint from core.lake_day order by machine"),
  ).toEqual([
    { machine: "east", kind: "music", date: "2026-03-01", fingerprint: "b" },
    { machine: "west", kind: "music", date: "2026-03-01", fingerprint: "w" },
  ]);
});

it("writes nothing anew of days that are as they were", async () => {
  const now = [machine("east", manyDays)];
  await rememberDays(warehouse, now);
  const rows = () => warehouse.all("select rowid as id from core.lake_day order by 1");
  const before = await rows();
  await rememberDays(warehouse, now);
  expect(await rows()).toEqual(before);
});
