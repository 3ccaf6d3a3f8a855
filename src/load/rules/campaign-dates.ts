import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Engine } from "../../engines/engine.ts";
import { packageRoot, readSql } from "../../util/files/package-files.ts";
import { declareTables, takeRows } from "../declare-tables.ts";
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
  let part: object[] = [];
  let characters = 0;
  for (const [index, rule] of rules.entries()) {
    const expanded = expandStoredRule(rule);
    part.push(expanded);
    characters += JSON.stringify(expanded).length;
    if (characters < partCharacters && index < rules.length - 1) continue;
    await declareTables(warehouse);
    await takeRows(warehouse, "expanded_rule", part);
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

let version: string | undefined;

/**
 * A fingerprint of all that decides which dates a rule has: the code in this folder, the text of the query that finds
 * the period that rules are expanded over, and the library's version. Rules that were expanded by another one are
 * expanded again.
 */
function ruleExpansionVersion(): string {
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

/** The largest value that one part of a code holds, in seconds or times. */
const digits = 5;

/**
 * Times of a day as a text that SQL can take apart without lists: per run of times at the same distance 15 digits, five
 * each for its first time, for the seconds from one to the next, and for how many there are. `FREQ=HOURLY` is
 * `000000360000024`. Equal sets have equal codes.
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
