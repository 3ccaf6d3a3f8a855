import type { Engine } from "../engines/engine.ts";
import type { SqlRow } from "../engines/sql-text.ts";
import { type Topic, topics, topicTables } from "../mart/topic.ts";
import { listSql, readSql } from "../util/files/package-files.ts";
import { type DayRange, rangesOf, selectDirtyDates } from "./dirty-days.ts";

export interface CheckResult extends Omit<Check, "sql"> {
  /** 0: it holds. */
  failingRows: number;
  /** Some of the failing rows. */
  sample: SqlRow[];
}

/** Whether a check found something that stops a publish. */
export function isError({ severity, failingRows }: CheckResult): boolean {
  return severity === "error" && failingRows > 0;
}

export interface RunChecksOptions {
  /**
   * `unpublished`: checks over facts look at the days that changed since the last publish; the others were looked at
   * then, and dimensions and ledgers are always looked at whole. `all`: every day but those that are dirty, whose
   * figures don't agree with the plays until they are built.
   */
  days: "unpublished" | "all";
  /** Of failing rows per check. @default 20 */
  sampleSize?: number;
  /** About so many plays are checked in one statement, in ranges of days. @default all */
  playsAtOnce?: number;
  signal?: AbortSignal | undefined;
}

/** Runs every check over the mart as this version of the program built it. It decides nothing: a caller stops at errors. */
export async function runChecks(
  engine: Engine,
  { days, sampleSize = 20, playsAtOnce, signal }: RunChecksOptions,
): Promise<CheckResult[]> {
  return await engine.interruptible(signal, async () => {
    const every = await chooseDays(engine, days);
    const ranges = playsAtOnce ? rangesOf(await playsByDay(engine), playsAtOnce) : [];
    const results = new Map<string, CheckResult>();
    for (const range of ranges.length > 1 ? ranges : [undefined]) {
      if (range) await narrowDays(engine, every, range);
      for (const check of listChecks()) {
        signal?.throwIfAborted();
        const known = results.get(check.name);
        if (known && !looksAtDays(check)) continue;
        results.set(check.name, await look(engine, check, known, sampleSize));
      }
    }
    return [...results.values()];
  });
}

/** Fills the days to look at. @returns the select of them */
async function chooseDays(engine: Engine, days: RunChecksOptions["days"]): Promise<string> {
  const chosen =
    days === "all"
      ? `select date from (${union((topic) => readSql(`build/every_day/${topic}.sql`))}\n) as every_day
        except select date from (${selectDirtyDates()}) as dirty`
      : union((topic) => `select date from ${topicTables[topic].unpublished}`);
  await engine.run("delete from core.checked_day");
  await engine.run(`insert into core.checked_day (date) ${chosen}`);
  return chosen;
}

function union(select: (topic: Topic) => string): string {
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

async function playsByDay(engine: Engine): Promise<{ date: string; plays: number }[]> {
  return await engine.all(
    `select f.date, cast(sum(f.plays) as bigint) as plays
    from mart.fact_play_zone_day as f
    inner join core.checked_day as d on d.date = f.date
    group by f.date
    order by f.date`,
  );
}

function looksAtDays({ sql }: Check): boolean {
  return /\bcore\.checked_day\b/.test(sql);
}

/** @param known what the check found on other days */
async function look(
  engine: Engine,
  { sql, ...check }: Check,
  known: CheckResult | undefined,
  sampleSize: number,
): Promise<CheckResult> {
  // Without a partition, one thread alone would go through all that is checked.
  const rows = await engine.all<SqlRow & { "failing rows": number }>(
    `select *, count(*) over (partition by 0) as "failing rows" from (${sql}\n) as failure limit ${sampleSize}`,
  );
  const sample = rows.map(({ "failing rows": _count, ...row }) => row);
  return {
    ...check,
    failingRows: (known?.failingRows ?? 0) + (rows[0]?.["failing rows"] ?? 0),
    sample: [...(known?.sample ?? []), ...sample].slice(0, sampleSize),
  };
}

/** One select under `sql/checks/`: each row that it returns is a failure. */
export interface Check {
  /** The file's name, without `.sql`. */
  name: string;
  /** `error` stops the publish; `warn` is reported. */
  severity: "error" | "warn";
  /** What holds when it returns nothing. */
  description: string;
  sql: string;
}

/** All checks, by name. @throws {SyntaxError} when a header is malformed */
export function listChecks(): Check[] {
  return listSql("checks").map((file) =>
    parseCheck(file.slice(0, -".sql".length), readSql(`checks/${file}`)),
  );
}

/** The header is a sentence, over one or more lines, then `Severity: error` or `Severity: warn`. */
function parseCheck(name: string, sql: string): Check {
  const [header] = /^(--.*\n)+/.exec(sql) ?? [""];
  const words = header.replaceAll(/^-- ?/gm, "").replaceAll("\n", " ");
  const [, description, severity] = /^(\S.*) Severity: (error|warn)\s*$/.exec(words) ?? [];
  if (!description || (severity !== "error" && severity !== "warn")) {
    throw new SyntaxError(
      `check ${name}: the header should say what holds, then "Severity: error" or "warn"`,
    );
  }
  return { name, severity, description, sql };
}
