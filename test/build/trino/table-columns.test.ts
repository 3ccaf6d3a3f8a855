import { expect, it } from "vitest";
import { toTrinoType } from "../../../src/build/trino/core-tables.ts";
import { lakeTypes } from "../../../src/lake/layout.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";

it("every type of a lake and a warehouse has a counterpart", async () => {
  const warehouse = await openNewWarehouse();
  const types = await warehouse.all<{ type: string }>(
    "select distinct data_type as type from duckdb_columns() where schema_name = 'core'",
  );
  for (const type of [...lakeTypes, ...types.map((row) => row.type)])
    expect(toTrinoType(type)).toMatch(/^[a-z]/);
});
