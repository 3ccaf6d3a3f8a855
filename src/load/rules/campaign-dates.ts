import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Engine } from "../../engines/engine.ts";
import { readSql } from "../../util/files/package-files.ts";
import { declareTables } from "../declare-tables.ts";
import { expandRule } from "./campaign-rule.ts";
import { ruleExpansionVersion } from "./rule-expansion-version.ts";
import { encodeTimes } from "./time-set.ts";

interface StoredRule extends Record<string, string | number | null> {
  ruleId: number;
  rrule: string;
  startDate: string | null;
  addDate: string | null;
  /** Local dates, both inclusive. */
  from: string;
  to: string;
}

/** So many characters of expanded rules are stored at a time: those of thousands, over years, fit into no text. */
const partCharacters = 8_000_000;

/** Finds the dates of campaigns' rules in one transaction, for a build. */
export async function prepareRules(warehouse: DuckDb): Promise<void> {
  await warehouse.transaction(() => expandRules(warehouse));
}

/**
 * Finds the dates of campaigns' rules: from the first day of any zone to a month
 * past the newest. Rules that reach that far already, by this version of the expansion, are left alone; days on which
 * another version differs become dirty.
 */
export async function expandRules(warehouse: DuckDb): Promise<void> {
  const rules = await findRulesToExpand(warehouse);
  let part: string[] = [];
  let characters = 0;
  for (const [index, rule] of rules.entries()) {
    const expanded = JSON.stringify(expandStoredRule(rule));
    part.push(expanded);
    characters += expanded.length;
    if (characters < partCharacters && index < rules.length - 1) continue;
    await declareTables(warehouse, "rule");
    await warehouse.run(readSql("load/rule/take_expanded_rules.sql"), [`[${part}]`]);
    await warehouse.run(readSql("load/rule/store_expanded_rules.sql"));
    part = [];
    characters = 0;
  }
}

/** Rules of `core` whose dates do not reach over all days that are known, or were found by another version of the expansion. */
async function findRulesToExpand(engine: Engine): Promise<StoredRule[]> {
  return await engine.all<StoredRule>(readSql("load/rule/find_rules_to_expand.sql"), [
    ruleExpansionVersion(),
  ]);
}

function expandStoredRule({ ruleId, rrule, startDate, addDate, from, to }: StoredRule) {
  const result = expandRule(rrule, {
    ...(startDate === null ? {} : { startDate }),
    ...(addDate === null ? {} : { addDate }),
    from,
    to,
  });
  const dates = "dates" in result ? result.dates : [];
  return {
    rule_id: ruleId,
    rule_error: "error" in result ? result.error : null,
    is_every_day: "everyDay" in result,
    expanded_from: from,
    expanded_to: to,
    expanded_by: ruleExpansionVersion(),
    until_at: ("dates" in result ? result.untilAt : undefined) ?? null,
    dates: dates.map(({ date, firstSecond, times }) => ({
      date,
      first_secs: firstSecond ?? null,
      time_set: times === undefined ? null : encodeTimes(times),
    })),
  };
}

/** Finds the dates of rules as a load does, for a `core` that no load filled. */
export const ruleExpander = {
  get version() {
    return ruleExpansionVersion();
  },
  find: findRulesToExpand,
  expand: expandStoredRule,
};
