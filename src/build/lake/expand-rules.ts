import type { Engine } from "../../engines/engine.ts";
import { insertRows } from "../../engines/statements.ts";

/** A rule from `core.campaign_rule` with all its dates from `expanded_from` to `expanded_to`. */
interface ExpandedRule {
  rule_id: number;
  rule_error: string | null;
  is_every_day: boolean;
  /** Local dates, both inclusive. */
  expanded_from: string;
  expanded_to: string;
  expanded_by: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  until_at: string | null;
  dates: readonly { date: string; first_secs: number | null; time_set: string | null }[];
}

export interface RuleExpander<Rule = unknown> {
  /** Version of the expander; another version may find other dates. */
  version: string;
  /** Finds rules in `core` whose dates do not cover all known days. */
  find(engine: Engine): Promise<Rule[]>;
  expand(rule: Rule): ExpandedRule;
}

/** Rules per statement, which limits the statement's size. */
const rulesPerStatement = 100;

/** Expands rules whose dates cover the days of their own machine but not the days of all machines. */
export async function expandRules<Rule>(engine: Engine, expander: RuleExpander<Rule>): Promise<void> {
  const rules = await expander.find(engine);
  for (let first = 0; first < rules.length; first += rulesPerStatement) {
    const part = rules.slice(first, first + rulesPerStatement).map((rule) => expander.expand(rule));
    await storeDates(engine, part);
    await storeExpansion(engine, part);
  }
}

async function storeDates(engine: Engine, rules: readonly ExpandedRule[]): Promise<void> {
  await deleteRules(engine, "core.campaign_date", rules);
  await insertRows(
    engine,
    "core.campaign_date",
    { rule_id: "bigint", date: "date", first_secs: "integer", time_set: "varchar" },
    rules.flatMap(({ rule_id: ruleId, dates }) =>
      dates.map(({ date, first_secs, time_set }) => [ruleId, date, first_secs, time_set]),
    ),
  );
}

/**
 * Stores expanded rules; columns that an expansion does not change are read from the table first and written
 * back.
 */
async function storeExpansion(engine: Engine, rules: readonly ExpandedRule[]): Promise<void> {
  const kept = await engine.all<{
    rule_id: number;
    rrule: string;
    start_date: string | null;
    add_date: string | null;
  }>(
    `select rule_id, rrule, start_date, add_date from core.campaign_rule
    where rule_id in (${rules.map(() => "?").join(", ")})`,
    rules.map(({ rule_id: ruleId }) => ruleId),
  );
  const storedById = new Map(kept.map((rule) => [rule.rule_id, rule]));
  await deleteRules(engine, "core.campaign_rule", rules);
  await insertRows(
    engine,
    "core.campaign_rule",
    {
      ...{ rule_id: "bigint", rrule: "varchar", start_date: "date", add_date: "date", rule_error: "varchar" },
      ...{ is_every_day: "boolean", expanded_from: "date", expanded_to: "date", expanded_by: "varchar" },
      until_at: "timestamp(6)",
    },
    rules.map((rule) => {
      const { rrule = "", start_date = null, add_date = null } = storedById.get(rule.rule_id) ?? {};
      return [
        ...[rule.rule_id, rrule, start_date, add_date, rule.rule_error],
        ...[rule.is_every_day, rule.expanded_from, rule.expanded_to, rule.expanded_by],
        rule.until_at,
      ];
    }),
  );
}

async function deleteRules(engine: Engine, table: string, rules: readonly ExpandedRule[]): Promise<void> {
  await engine.run(
    `delete from ${table} where rule_id in (${rules.map(() => "?").join(", ")})`,
    rules.map(({ rule_id: ruleId }) => ruleId),
  );
}
