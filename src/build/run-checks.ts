import type { Engine } from "../engines/engine.ts";
import type { SqlRow } from "../engines/sql-values.ts";
import { topics, topicTables } from "../mart/topic.ts";
import { readSql } from "../util/files/sql-file.ts";
import { VenueError } from "../util/venue-error.ts";
import { type Check, listChecks } from "./check.ts";

export interface CheckResult extends Omit<Check, "sql"> {
  /** 0: it holds. */
  failingRows: number;
  /** The first of the failing rows. */
  sample: SqlRow[];
}

export interface RunChecksOptions {
  /**
   * `unpublished`: checks over facts look at the days that changed since the last publish; the others were looked at
   * then, and dimensions and ledgers are always looked at whole. `all`: every day.
   */
  days: "unpublished" | "all";
  /** Of failing rows per check. @default 20 */
  sampleSize?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs every check over the mart as it was built last. It decides nothing: a caller stops at errors.
 * @throws {NothingBuiltError} before the first build
 */
export async function runChecks(
  engine: Engine,
  { days, sampleSize = 20, signal }: RunChecksOptions,
): Promise<CheckResult[]> {
  if (!(await engine.find("select model from core.built_model limit 1"))) throw new NothingBuiltError();
  return await engine.interruptible(signal, async () => {
    await engine.run("delete from core.checked_day");
    const checkedDays = topics.map((topic) =>
      days === "all"
        ? `select date from (${readSql(`build/every_day/${topic}.sql`)}\n) as days`
        : `select date from ${topicTables[topic].unpublished}`,
    );
    await engine.run(`insert into core.checked_day (date) ${checkedDays.join(" union ")}`);
    const results: CheckResult[] = [];
    for (const { sql, ...check } of listChecks()) {
      signal?.throwIfAborted();
      const sample = await engine.all<SqlRow & { "failing rows": number }>(
        `select *, count(*) over () as "failing rows" from (${sql}\n) as failure limit ${sampleSize}`,
      );
      results.push({
        ...check,
        failingRows: sample[0]?.["failing rows"] ?? 0,
        sample: sample.map(({ "failing rows": _count, ...row }) => row),
      });
    }
    return results;
  });
}

/** There is no mart yet. */
export class NothingBuiltError extends VenueError {
  override readonly name = "NothingBuiltError";
  readonly code = "NOTHING_BUILT";
  readonly category = "usage";

  constructor() {
    super("Nothing is built yet. Run `venue build` first.");
  }
}
