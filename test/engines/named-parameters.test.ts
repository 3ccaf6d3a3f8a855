import { expect, it } from "vitest";
import { bindByName } from "../../src/engines/statements.ts";

const values: Record<string, string | number | null> = { zone: 12, first: "2026-11-01", none: null };
const find = (name: string) => values[name];

it.each([
  ["in their order", "select cast(? as date) as first, cast(? as bigint) as zone", ["2026-11-01", 12]],
  ["as often as they are named", "select cast(? as bigint) as zone, cast(? as bigint) as zone", [12, 12]],
  ["null is a value", "select cast(? as bigint) as none", [null]],
  ["not in comments and texts", "select 'why?' as a, cast(? as bigint) as zone -- which?", [12]],
  ["none", "select 1 as a", []],
])("%s", (_label, sql, bound) => {
  expect(bindByName(sql, find)).toEqual(bound);
});

it.each([
  ["select cast(? as bigint) as group_id", "no value for the parameter group_id"],
  ["select cast(? as bigint) + 1 as zone", "a parameter without a name"],
  ["select a from t where a = ?", "a parameter without a name"],
])("refuses %s", (sql, message) => {
  expect(() => bindByName(sql, find)).toThrow(message);
});
