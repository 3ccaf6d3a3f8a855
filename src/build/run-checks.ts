import type { Engine } from "../engines/engine.ts";
import type { SqlRow } from "../engines/sql-text.ts";
import { type Topic, topics, topicTables } from "../mart/topic.ts";
import { listSql, readSql } from "../util/files/package-files.ts";
import { type DayRange, selectDirtyDates, splitDays } from "./dirty-days.ts";
import { listKeyChecks } from "./key-checks.ts";

export interface CheckResult extends Omit<Check, "sql"> {
  failingRows: number;
  sample: SqlRow[];
  /** Path of a user's check, e.g. `own/checks/quiet.sql`. */
  file?: string;
  /** The reason why it did not run. */
  problem?: string;
}

/** Returns true for a failure that prevents publishing. */
export function isError({ severity, failingRows }: CheckResult): boolean {
  return severity === "error" && failingRows > 0;
}

export interface RunChecksOptions {
  /**
   * `unpublished`: checks of facts cover only the days that changed since the last publish, because the other days
   * were checked then; dimensions and ledgers are always checked completely. `all`: checks cover every day except
   * dirty days, whose figures do not match the plays until they are rebuilt.
   */
  days: "unpublished" | "all";
  /** Failing rows kept per check. @default 20 */
  sampleSize?: number;
  /** Approximate number of plays checked per statement, in ranges of days. @default all */
  playsAtOnce?: number;
  signal?: AbortSignal | undefined;
}

/** Runs every check on the last build. The caller decides whether to stop at errors. */
export async function runChecks(
  engine: Engine,
  { days, sampleSize = 20, playsAtOnce, signal }: RunChecksOptions,
): Promise<CheckResult[]> {
  return await engine.interruptible(signal, async () => {
    const every = await chooseDays(engine, days);
    const ranges = playsAtOnce ? splitDays(await countPlaysByDay(engine), playsAtOnce) : [];
    const results = new Map<string, CheckResult>();
    for (const range of ranges.length > 1 ? ranges : [undefined]) {
      if (range) await narrowDays(engine, every, range);
      for (const check of listChecks()) {
        signal?.throwIfAborted();
        const known = results.get(check.name);
        if (known && !readsCheckedDays(check)) continue;
        results.set(check.name, await runCheck(engine, check, known, sampleSize));
      }
    }
    return [...results.values()];
  });
}

/**
 * Stores the days to check.
 * @returns a select that lists these days
 */
async function chooseDays(engine: Engine, days: RunChecksOptions["days"]): Promise<string> {
  const chosen =
    days === "all"
      ? `select date from (${joinSelects((topic) => readSql(`build/every_day/${topic}.sql`))}\n) as every_day
        except select date from (${selectDirtyDates()}) as dirty`
      : joinSelects((topic) => `select date from ${topicTables[topic].unpublished}`);
  await engine.run("delete from core.checked_day");
  await engine.run(`insert into core.checked_day (date) ${chosen}`);
  return chosen;
}

function joinSelects(select: (topic: Topic) => string): string {
  return topics.map((topic) => `select date from (${select(topic)}\n) as days`).join(" union ");
}

async function narrowDays(engine: Engine, every: string, { from, to }: DayRange): Promise<void> {
  await engine.run("delete from core.checked_day");
  await engine.run(
    `insert into core.checked_day (date)
    select date from (${every}) as every where date between cast(? as date) and cast(? as date)`,
    [from, to],
  );
}

async function countPlaysByDay(engine: Engine): Promise<{ date: string; plays: number }[]> {
  return await engine.all(
    `select f.date, cast(sum(f.plays) as bigint) as plays
    from mart.fact_play_zone_day as f
    inner join core.checked_day as d on d.date = f.date
    group by f.date
    order by f.date`,
  );
}

function readsCheckedDays({ sql }: Check): boolean {
  return /\bcore\.checked_day\b/.test(sql);
}

/** @param known the check's result on other days */
async function runCheck(
  engine: Engine,
  { sql, ...check }: Check,
  known: CheckResult | undefined,
  sampleSize: number,
): Promise<CheckResult> {
  const { failingRows, sample } = await findFailures(engine, sql, sampleSize);
  return {
    ...check,
    failingRows: (known?.failingRows ?? 0) + failingRows,
    sample: [...(known?.sample ?? []), ...sample].slice(0, sampleSize),
  };
}

export type Failures = Pick<CheckResult, "failingRows" | "sample">;

/** Counts the rows of a check's select, and returns the first, up to `sampleSize`. */
export async function findFailures(engine: Engine, sql: string, sampleSize: number): Promise<Failures> {
  // The constant partition matters: without one, DuckDB would run the whole check in one thread.
  const rows = await engine.all<SqlRow>(
    `select *, count(*) over (partition by 0) as "failing rows" from (\n${sql}\n) as failure limit ${sampleSize}`,
  );
  return {
    failingRows: Number(rows[0]?.["failing rows"] ?? 0),
    sample: rows.map(({ "failing rows": _count, ...row }) => row),
  };
}

/** A select from `sql/checks/`, or derived from model headers. Each row that it returns is a failure. */
export interface Check {
  name: string;
  /** `error` prevents publishing; `warn` is reported. */
  severity: "error" | "warn";
  /** The condition that holds if the check returns nothing. */
  description: string;
  sql: string;
}

/** @throws {SyntaxError} if a header is malformed */
export function listChecks(): Check[] {
  const files = listSql("checks").map((file) =>
    parseCheck(file.slice(0, -".sql".length), readSql(`checks/${file}`)),
  );
  return [...files, ...listKeyChecks().map((check) => ({ ...check, severity: "error" as const }))];
}

/** Parses a check's header: one sentence on one or more lines, then `Severity: error` or `Severity: warn`. */
function parseCheck(name: string, sql: string): Check {
  return { name, sql, ...parseCheckHeader(`check ${name}`, sql) };
}

/** @throws {SyntaxError} naming the file if the header is malformed */
export function parseCheckHeader(file: string, sql: string): Pick<Check, "severity" | "description"> {
  const [header] = /^(--.*\n)+/.exec(sql) ?? [""];
  const words = header.replaceAll(/^-- ?/gm, "").replaceAll("\n", " ");
  const [, description, severity] = /^(\S.*) Severity: (error|warn)\s*$/.exec(words) ?? [];
  if (!description || (severity !== "error" && severity !== "warn")) {
    throw new SyntaxError(`${file}: the header must state what holds, then "Severity: error" or "warn"`);
  }
  return { severity, description };
}
