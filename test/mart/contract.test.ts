import { join } from "node:path";
import { expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { listModels } from "../../src/mart/model.ts";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { buildOptions } from "../build/build-options.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";

it("the mart has the tables, columns and types in test/mart/contract.json, which `make figures` writes", async () => {
  const warehouse = await openNewWarehouse();
  await buildMart(warehouse, buildOptions);
  const contract: Record<string, Record<string, string>> = {};
  for (const { schema, table, name } of listModels()) {
    if (schema !== "mart") continue;
    const columns = await warehouse.all<{ name: string; type: string }>(
      // Kinds may be stored as an enum but are published as text.
      `select column_name as name, if(column_type like 'ENUM%', 'VARCHAR', column_type) as type
      from (describe ${name})`,
    );
    contract[table] = Object.fromEntries(columns.map((column) => [column.name, column.type]));
  }
  await expect(`${JSON.stringify(contract, null, 2)}\n`).toMatchFileSnapshot(
    join(packageRoot, "test", "mart", "contract.json"),
  );
});
