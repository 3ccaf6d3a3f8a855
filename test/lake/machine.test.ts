import { expect, it } from "vitest";
import { listLakeTables, toLakeColumns } from "../../src/lake/layout.ts";
import { checkMachineName, computeFirstId, computeMachineNumber, isOwnId } from "../../src/lake/machine.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";

it.each(["east", "East-1", "0", "a_b", "x".repeat(64)])("accepts the name %j", (name) => {
  expect(() => checkMachineName(name)).not.toThrow();
});

it.each(["", "a b", "../x", "a/b", "x=y", "-x", "_x", ".x", "ö", "x".repeat(65)])(
  "rejects the name %j",
  (name) => {
    expect(() => checkMachineName(name)).toThrow(expect.objectContaining({ code: "MACHINE_NAME_INVALID" }));
  },
);

it("gives each machine its own ids, below 2^53", () => {
  const names = Array.from({ length: 1000 }, (_, index) => `machine-${index}`);
  for (const name of names) {
    expect(computeMachineNumber(name)).toBeGreaterThanOrEqual(0);
    expect(computeFirstId(name) + 2 ** 32).toBeLessThanOrEqual(2 ** 53);
    expect(computeFirstId(name) % 2 ** 32).toBe(0);
  }
  expect(new Set(names.map(computeMachineNumber)).size).toBeGreaterThan(990);
  // Published data is valid only while these numbers stay the same.
  expect([computeMachineNumber("east"), computeMachineNumber("west")]).toEqual([441_778, 486_009]);
});

it("knows every column with the warehouse's own ids", async () => {
  const warehouse = await openNewWarehouse();
  const sequences = await warehouse.all<{ id: string }>(
    "select sequence_name as id from duckdb_sequences() where schema_name = 'core' order by id",
  );
  const ids = sequences.map(({ id }) => id);
  const found = new Set<string>();
  for (const table of listLakeTables()) {
    const described = await warehouse.all<{ name: string; type: string }>(
      `select column_name as name, column_type as type from (describe core.${table})`,
    );
    for (const { name } of toLakeColumns(table, described)) {
      if (isOwnId(name)) found.add(name);
      else expect(ids.filter((id) => name.endsWith(id))).toEqual([]);
    }
  }
  expect([...found].sort()).toEqual(["first_load_id", "last_load_id", "load_id", "rule_id", "snapshot_id"]);
});
