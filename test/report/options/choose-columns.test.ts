import { expect, it } from "vitest";
import { chooseColumns } from "../../../src/report/options/output-format.ts";
import type { Report } from "../../../src/report/report.ts";
import { rowsOf } from "../report-rows.ts";

async function* each() {
  yield ["Bar", 11, 0.5] as const;
}

const report = (): Report => ({
  title: "Query",
  filters: [],
  dataAsOf: null,
  version: "v000001",
  columns: [
    { name: "zone_name", type: "text" },
    { name: "zone_id", type: "integer" },
    { name: "share", type: "share" },
  ],
  rows: each(),
  notes: [],
});

it("keeps the columns that were asked for, in their order, each once", async () => {
  expect(await rowsOf(chooseColumns(report(), ["share, zone_name", "share"]))).toEqual([
    { share: 0.5, zone_name: "Bar" },
  ]);
});

it("says which columns there are", () => {
  expect(() => chooseColumns(report(), ["zone_nme"])).toThrow(
    '--columns does not take "zone_nme". Did you mean zone_name? It takes zone_name, zone_id, share.',
  );
});
