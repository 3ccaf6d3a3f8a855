import { expect, it } from "vitest";
import { complianceStates } from "../../src/report/catalog/compliance-states.ts";
import { readSql } from "../../src/util/files/package-files.ts";

/** The states named in a part of a SQL file, in order. */
function statesIn(file: string, from: RegExp, to: RegExp): string[] {
  const sql = readSql(file);
  const start = sql.search(from);
  const part = sql.slice(start);
  const words = part.slice(0, part.search(to)).match(/[a-z_]+/g) ?? [];
  return words.filter((word) => (complianceStates as string[]).includes(word) || word.startsWith("missed"));
}

it.each([
  ["the model", "models/mart/fact_campaign_zone_day.sql", /case\s+when not a\.is_scheduled/, /end as state/],
  [
    "the model's header",
    "models/mart/fact_campaign_zone_day.sql",
    /Note: In this order:/,
    /-- {3}is_assumed/,
  ],
  ["the check", "checks/campaign_states.sql", /f\.state not in/, /\n/],
])("%s lists the states in order", (_name, file, from, to) => {
  expect(statesIn(file, from, to)).toEqual(complianceStates);
});

it("--explain tests the states in order", () => {
  const sql = readSql("reports/compliance_explain/80_states.sql");
  const tried = [...sql.matchAll(/select (\d+)(?: as place)?, '(\w+)'/g)];
  expect(tried.map(([, place, state]) => [Number(place), state])).toEqual(
    complianceStates.map((state, index) => [index + 1, state]),
  );
});
