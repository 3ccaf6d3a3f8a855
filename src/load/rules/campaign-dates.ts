import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Engine } from "../../engines/engine.ts";
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

/** Characters of expanded rules stored at a time: all of them may exceed the maximum string length. */
const partCharacters = 8_000_000;

/** Expands campaigns' rules in one transaction, before a build. */
export async function prepareRules(warehouse: DuckDb): Promise<void> {
  await warehouse.transaction(() => expandRules(warehouse));
}

/**
 * Expands campaigns' rules from the first day of any zone to three months past the newest. Rules already expanded
 * that far by this version are kept; days on which another version differs become dirty.
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

/** Finds rules whose dates do not cover all known days or come from another version of the expansion. */
async function findRulesToExpand(engine: Engine): Promise<StoredRule[]> {
  return await engine.all<StoredRule>(readSql("load/rule/find_rules_to_expand.sql"), [
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

/** Expands rules as a load does, for a `core` filled from a lake. */
export const ruleExpander = {
  get version() {
    return computeExpansionVersion();
  },
  find: findRulesToExpand,
  expand: expandStoredRule,
};

let version: string | undefined;

/**
 * Returns a fingerprint of everything that decides a rule's dates: the code in this folder, the query that
 * finds the period, and the library's version. Rules expanded by another version are expanded again.
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

/** Digits of each number in a code, which is in seconds or a count. */
const digits = 5;

/**
 * Encodes times of a day as text that SQL can split without lists: 15 digits per run of equidistant times,
 * five each for the first time, the step in seconds, and the count. `FREQ=HOURLY` is `000000360000024`. Equal
 * sets have equal codes.
 * @param times seconds since the day began, in order
 */
export function encodeTimes(times: readonly number[]): string {
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
