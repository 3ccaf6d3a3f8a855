import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasOwnPage, listOwnReports, listRelations } from "../../../src/report/own/list-own-reports.ts";
import { isAcceptedTarget } from "../../../src/serve/security/allowed-hosts.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it.each([
  ["select date from period", ["period"]],
  ["select 1 from fact_play as f, Period as p where f.date = p.date", ["period"]],
  ['select 1 from (dim_zone as d inner join "chosen_zone" as z on z.zone_id = d.zone_id)', ["chosen_zone"]],
  [
    "with a as (select 1 from chosen_zone), b as (select 2) select 1 from b, a, period",
    ["chosen_zone", "period"],
  ],
  ["select '--' as a, zone_id from chosen_zone", ["chosen_zone"]],
  ["select '/*', e'it\\'s', zone_id from chosen_zone /* */", ["chosen_zone"]],
  ["select zone_id /* from period */ from dim_zone -- , period", []],
  [
    "select zone_id, period, 'from period' as text from dim_zone where (date, period) = (1, 2) order by 1, period",
    [],
  ],
  ["select f.period from dim_zone as f group by zone_id, period", []],
])("finds the relations of %j", (sql, expected) => {
  expect(listRelations(sql)).toEqual(expected);
});

it("each accepted report has a page, and the names of other addresses are rejected", () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, "reports"));
  for (const name of ["top_20", "busy2", "busy-days", "metrics", "healthz", "plays", "2busy"])
    writeFileSync(join(folder, "reports", `${name}.sql`), "-- Numbers.\n\nselect 1 as n\n");
  const reports = listOwnReports(folder);
  const accepted = reports.filter(({ problem }) => problem === undefined);
  expect(accepted.map(({ name }) => name)).toEqual(["busy-days", "busy2", "top_20"]);
  expect(reports.filter(hasOwnPage)).toEqual(accepted);
  for (const { name } of accepted) expect(isAcceptedTarget(`/${name}`)).toBe(true);
  const metrics = reports.find(({ name }) => name === "metrics");
  expect(metrics?.problem?.message).toContain("reports/metrics.sql has the name of another page. Rename it.");
});
