import { beforeEach, expect, it } from "vitest";
import { expandRules, type RuleExpander } from "../../../src/build/lake/expand-rules.ts";
import type { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { insertCoreRows } from "../../support/core-rows.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";

/** More than one statement takes. */
const rules = Array.from({ length: 250 }, (_, index) => index + 1);

let warehouse: DuckDb;
beforeEach(async () => {
  warehouse = await openNewWarehouse();
  await insertCoreRows(
    warehouse,
    "campaign_rule",
    [0, ...rules].map((rule) => ({
      rule_id: rule,
      rrule: `FREQ=DAILY;INTERVAL=${rule + 1}`,
      start_date: rule % 2 === 0 ? "2026-03-01" : null,
      add_date: rule % 3 === 0 ? "2026-02-01" : null,
      is_every_day: false,
      expanded_from: "2026-03-01",
      expanded_to: "2026-03-31",
    })),
  );
  await insertCoreRows(
    warehouse,
    "campaign_date",
    [0, ...rules].map((rule) => ({ rule_id: rule, date: "2026-03-05" })),
  );
});

/** Expands the rules like machines that know three days; fails for rule 0. */
const expander = (chosen: readonly number[]): RuleExpander<number> => ({
  version: "of a test",
  find: async () => [...chosen],
  expand: (rule) => ({
    rule_id: rule,
    rule_error: rule === 7 ? "no such day" : null,
    is_every_day: rule === 8,
    expanded_from: "2026-02-01",
    expanded_to: "2026-04-30",
    expanded_by: "of a test",
    until_at: rule === 9 ? "2026-04-30 12:00:00" : null,
    dates: [
      { date: "2026-02-02", first_secs: null, time_set: null },
      { date: `2026-04-${String((rule % 30) + 1).padStart(2, "0")}`, first_secs: rule, time_set: `${rule}` },
    ],
  }),
});

it("replaces the dates of hundreds of rules, and keeps their other columns", async () => {
  await expandRules(warehouse, expander(rules));
  expect(
    await warehouse.all("select rule_id, date, first_secs, time_set from core.campaign_date order by 1, 2"),
  ).toEqual([
    { rule_id: 0, date: "2026-03-05", first_secs: null, time_set: null },
    ...rules.flatMap((rule) =>
      expander([])
        .expand(rule)
        .dates.map((date) => ({ rule_id: rule, ...date })),
    ),
  ]);
  const stored = await warehouse.all("select * from core.campaign_rule order by rule_id");
  expect(stored).toHaveLength(rules.length + 1);
  expect(stored.slice(0, 1)).toMatchObject([{ rule_id: 0, expanded_to: "2026-03-31", expanded_by: null }]);
  expect(stored.slice(1)).toEqual(
    rules.map((rule) => {
      const { dates: _, ...expanded } = expander([]).expand(rule);
      return {
        rrule: `FREQ=DAILY;INTERVAL=${rule + 1}`,
        start_date: rule % 2 === 0 ? "2026-03-01" : null,
        add_date: rule % 3 === 0 ? "2026-02-01" : null,
        ...expanded,
      };
    }),
  );
});

it("changes nothing if all rules have their dates", async () => {
  const before = await warehouse.all("select * from core.campaign_rule order by rule_id");
  await expandRules(warehouse, expander([]));
  expect(await warehouse.all("select * from core.campaign_rule order by rule_id")).toEqual(before);
  expect(await warehouse.all("select 1 from core.campaign_date")).toHaveLength(rules.length + 1);
});
