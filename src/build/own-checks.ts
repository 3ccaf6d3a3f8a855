import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { parseSelect } from "../engines/duckdb/sql-tree.ts";
import type { Engine } from "../engines/engine.ts";
import { findUnportable } from "../engines/portability.ts";
import type { SqlRow } from "../engines/sql-text.ts";
import { replaceTables } from "../engines/trino/table-names.ts";
import { listModels } from "../mart/model.ts";
import { listOwnFiles, type OwnFile, ownTooLong } from "../mart/own/own-file.ts";
import { checkOwnSelect, explainOwnError, listTableNames } from "../mart/own/own-select.ts";
import { QueryLimits } from "../util/query-limits.ts";
import { getErrorMessage } from "../util/venue-error.ts";
import { type CheckResult, parseCheckHeader } from "./run-checks.ts";

export interface OwnChecksOptions {
  /** Contains `checks/`. */
  folder: string;
  /** Longest time of one check. */
  seconds: number;
  /** DuckDB's, e.g. `600MB`. */
  memoryLimit: string;
  /** Only parses. */
  parser: DuckDb;
  /** Schema of the tables on a cluster, where checks that are not portable are skipped. @default the engine's */
  schema?: string;
  signal?: AbortSignal | undefined;
}

/** Failing rows kept per check. */
const sampleSize = 20;

/**
 * Runs the user's checks on the last build. They read only what will be published. A check that does not run
 * is a warning, whatever its severity.
 */
export async function runOwnChecks(engine: Engine, options: OwnChecksOptions): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const file of listOwnFiles(options.folder, "checks")) {
    options.signal?.throwIfAborted();
    results.push(await runOwnCheck(engine, file, options));
  }
  return results;
}

async function runOwnCheck(engine: Engine, file: OwnFile, options: OwnChecksOptions): Promise<CheckResult> {
  const { seconds, memoryLimit, parser, signal } = options;
  const { name, path, sql } = file;
  const result: CheckResult = {
    name,
    file: path,
    severity: "warn",
    description: "",
    failingRows: 0,
    sample: [],
  };
  const bounds = new QueryLimits({ memoryLimit, maxMs: seconds * 1000, tooLong: ownTooLong(path, seconds) });
  try {
    if (file.problem) throw file.problem;
    const header = parseCheckHeader(path, sql);
    const unportable = options.schema === undefined ? [] : await findUnportable(parser, sql);
    if (unportable.length > 0)
      return {
        ...result,
        ...header,
        problem: `${path} uses what only DuckDB has: ${unportable.join("; ")}`,
      };
    await checkOwnSelect(file, (text) => parseSelect(parser, text), publishedTables);
    const limited = signal ? AbortSignal.any([signal, bounds.signal]) : bounds.signal;
    const rows = await engine.interruptible(limited, () => findFailures(engine, file, options));
    const failingRows = Number(rows[0]?.["failing rows"] ?? 0);
    const sample = rows.map(({ "failing rows": _count, ...row }) => row);
    return { ...result, ...header, failingRows, sample };
  } catch (error) {
    signal?.throwIfAborted();
    return { ...result, problem: getErrorMessage(error) };
  } finally {
    bounds.stop();
  }
}

const publishedTables = listModels().flatMap(({ schema, table }) => (schema === "mart" ? [table] : []));

async function findFailures(
  engine: Engine,
  file: OwnFile,
  { parser, schema }: OwnChecksOptions,
): Promise<SqlRow[]> {
  const tables = listTableNames(await parseSelect(parser, file.sql));
  const relations = tables.map((name) => [name, `${schema}.${name}`] as const);
  const select =
    schema === undefined
      ? file.sql
      : replaceTables(
          file.sql,
          Object.fromEntries(relations.filter(([name]) => publishedTables.includes(name))),
        );
  return await engine
    .all(
      `select *, count(*) over (partition by 0) as "failing rows" from (\n${select}\n) as failure limit ${sampleSize}`,
    )
    .catch((error) => {
      throw explainOwnError(file, error, 1);
    });
}
