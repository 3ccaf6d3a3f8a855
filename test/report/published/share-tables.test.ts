import { expect, it } from "vitest";
import { listModels } from "../../../src/mart/model.ts";
import { sharedRows } from "../../../src/report/published/shared-rows.ts";
import { listSql } from "../../../src/util/files/package-files.ts";

/** A new table or column needs a decision: may a share see it, or does it tell of other customers? */
it("tokens of shares see rows of these tables, and of the others nothing but what is computed from these", () => {
  const changed = listSql("shares/tables").map((file) => file.slice(0, -".sql".length));
  const shared = [...changed, ...Object.keys(sharedRows)];
  const models = listModels().filter(({ schema }) => schema === "mart");
  const seen = models.filter(({ table }) => shared.includes(table));
  expect(shared.filter((table) => !models.some((model) => model.table === table))).toEqual([]);
  expect({
    seen: seen.map(({ table, columns }) => `${table}: ${columns.map(({ name }) => name).join(", ")}`),
    others: models.filter((model) => !seen.includes(model)).map(({ table }) => table),
  }).toMatchSnapshot();
});
