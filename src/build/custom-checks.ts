import type { CustomLimits } from "../config/data-folder.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { parseSelect } from "../engines/duckdb/sql-tree.ts";
import type { Engine } from "../engines/engine.ts";
import { replaceTables } from "../engines/trino/table-names.ts";
import { type CustomFile, limitCustom, listCustomFiles } from "../mart/custom/custom-file.ts";
import { checkCustomSelect, explainCustomError, listTableNames } from "../mart/custom/custom-select.ts";
import { listModels } from "../mart/model.ts";
import { getErrorMessage } from "../util/venue-error.ts";
import { type CheckResult, type Failures, findFailures, parseCheckHeader } from "./run-checks.ts";

export interface CustomChecksOptions extends CustomLimits {
  /** Contains `checks/`. */
  folder: string;
  /** Used only to parse. */
  parser: DuckDb;
  /** Schema of the tables on a cluster. @default the engine's */
  schema?: string;
  signal?: AbortSignal | undefined;
}

/** Failing rows kept per check. */
const sampleSize = 20;

/**
 * Runs the user's checks on the last build. They read only what will be published. A check that cannot run
 * causes a warning, whatever its severity.
 */
export async function runCustomChecks(engine: Engine, options: CustomChecksOptions): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const file of listCustomFiles(options.folder, "checks")) {
    options.signal?.throwIfAborted();
    results.push(await runCustomCheck(engine, file, options));
  }
  return results;
}

async function runCustomCheck(
  engine: Engine,
  file: CustomFile,
  options: CustomChecksOptions,
): Promise<CheckResult> {
  const { parser, signal } = options;
  const { name, path, sql } = file;
  const result: CheckResult = {
    name,
    file: path,
    severity: "warn",
    description: "",
    failingRows: 0,
    sample: [],
  };
  const bounds = limitCustom(file, options);
  try {
    if (file.problem) throw file.problem;
    const header = parseCheckHeader(path, sql);
    await checkCustomSelect(file, (text) => parseSelect(parser, text), publishedTables);
    const limited = signal ? AbortSignal.any([signal, bounds.signal]) : bounds.signal;
    const found = await engine.interruptible(limited, () => runSelect(engine, file, options));
    return { ...result, ...header, ...found };
  } catch (error) {
    signal?.throwIfAborted();
    return { ...result, problem: getErrorMessage(error) };
  } finally {
    bounds.stop();
  }
}

const publishedTables = listModels().flatMap(({ schema, table }) => (schema === "mart" ? [table] : []));

async function runSelect(
  engine: Engine,
  file: CustomFile,
  { parser, schema }: CustomChecksOptions,
): Promise<Failures> {
  const tables = listTableNames(await parseSelect(parser, file.sql));
  const relations = tables.map((name) => [name, `${schema}.${name}`] as const);
  const select =
    schema === undefined
      ? file.sql
      : replaceTables(
          file.sql,
          Object.fromEntries(relations.filter(([name]) => publishedTables.includes(name))),
        );
  return await findFailures(engine, select, sampleSize).catch((error) => {
    throw explainCustomError(file, error, 1);
  });
}
