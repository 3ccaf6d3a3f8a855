import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { packageRoot, readSql } from "../../util/files/package-files.ts";
import { appendRows, declareTables } from "../declare-tables.ts";
import { expandRule } from "./campaign-rule.ts";

interface StoredRule extends Record<string, string | number | null> {
  ruleId: number;
  rrule: string;
  startDate: string | null;
  addDate: string | null;
  /** Local dates, both inclusive. */
  from: string;
  to: string;
}

/**
 * Expanded rules are stored in parts of about this many characters, because together they may exceed the
 * maximum string length.
 */
const partCharacters = 8_000_000;

/** Expands campaign rules in one transaction. Runs before a build. */
export async function prepareRules(warehouse: DuckDb): Promise<void> {
  await warehouse.transaction(() => expandRules(warehouse));
}

/**
 * Expands campaign rules from the first day of any zone to three months after the last day. Skips rules that
 * this version has already expanded that far. If another version expanded a rule, days with a different
 * result become dirty.
 */
export async function expandRules(warehouse: DuckDb): Promise<void> {
  const rules = await findRulesToExpand(warehouse);
  let part: object[] = [];
  let characters = 0;
  for (const [index, rule] of rules.entries()) {
    const expanded = expandStoredRule(rule);
    part.push(expanded);
    characters += JSON.stringify(expanded).length;
    if (characters < partCharacters && index < rules.length - 1) continue;
    await declareTables(warehouse);
    await appendRows(warehouse, "expanded_rule", part);
    await warehouse.run(readSql("load/rule/store_expanded_rules.sql"));
    part = [];
    characters = 0;
  }
}

/**
 * Finds rules whose dates do not cover all known days, or were computed by another version of the expansion.
 */
async function findRulesToExpand(warehouse: DuckDb): Promise<StoredRule[]> {
  return await warehouse.all<StoredRule>(readSql("load/rule/find_rules_to_expand.sql"), [
    computeExpansionVersion(),
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
    expanded_by: computeExpansionVersion(),
    until_at: ("dates" in result ? result.untilAt : undefined) ?? null,
    dates: dates.map(({ date, firstSecond, times }) => ({
      date,
      first_secs: firstSecond ?? null,
      time_set: times === undefined ? null : encodeTimes(times),
    })),
  };
}

let version: string | undefined;

/**
 * Returns a fingerprint of everything that decides a rule's dates: the code in this folder, the query that
 * selects rules and their period, and the library's version. Rules expanded by another version are expanded
 * again.
 */
function computeExpansionVersion(): string {
  version ??= createHash("sha256").update(JSON.stringify(readTexts())).digest("hex");
  return version;
}

function readTexts(): string[] {
  const here = fileURLToPath(import.meta.url);
  const files = readdirSync(dirname(here), { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(extname(here)))
    .sort();
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(packageRoot, "package.json"), "utf8"),
  );
  return [
    ...files.map((name) => readFileSync(join(dirname(here), name), "utf8")),
    readSql("load/rule/find_rules_to_expand.sql"),
    String(dependencies["rrule-temporal"]),
  ];
}

/** Number of digits per value in an encoded set of times. */
const digits = 5;

/**
 * Encodes times of day as a string that SQL can split without lists. Each run of equidistant times takes 15
 * digits: five each for the first time, the step (both in seconds) and the count. `FREQ=HOURLY` gives
 * `000000360000024`. Equal sets of times have equal codes.
 * @param times seconds since the day began, in order
 */
function encodeTimes(times: readonly number[]): string {
  const runs: { first: number; step: number; count: number }[] = [];
  for (const time of times) {
    const run = runs.at(-1);
    const step = run && time - (run.first + run.step * (run.count - 1));
    if (run && step !== undefined && (run.count === 1 || step === run.step)) {
      run.step = step;
      run.count += 1;
    } else {
      runs.push({ first: time, step: 0, count: 1 });
    }
  }
  return runs
    .flatMap(({ first, step, count }) => [first, step, count])
    .map((value) => String(value).padStart(digits, "0"))
    .join("");
}
