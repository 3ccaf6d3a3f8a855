import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDb } from "../engines/duckdb.ts";
import { listModels } from "../mart/model.ts";
import { renameDurably } from "../util/durable-files.ts";
import type { Logger } from "../util/logger.ts";
import { makeFolder } from "../util/make-folder.ts";
import { VenueError } from "../util/venue-error.ts";
import { writeParquetFile } from "./files/parquet-file.ts";
import { translatingFolderErrors } from "./publish-folder-error.ts";

export interface PublishCoreOptions {
  /** The lake that several machines share; each writes below `core/<table>/source=<its own name>`. */
  to: string;
  /** Name of this machine in the lake: letters, digits, `-` and `_`. */
  source: string;
  signal?: AbortSignal | undefined;
  logger: Logger;
}

export interface PublishCoreSummary {
  files: number;
  rows: number;
}

/** What the builder itself writes while it builds: another builder has its own. */
const builderTables = new Set(["core.build_setting", "core.restatement", "core.version"]);

/**
 * Writes the tables of `core` that models read into a shared lake, plays by month. Each file is replaced in one
 * instant, the set of them is not: a reader builds while no machine is publishing.
 * @throws {SourceNameError} when the name can't be part of a path
 * @throws {PublishFolderError} when the lake can't be written
 */
export async function publishCore(
  warehouse: DuckDb,
  { to, source, signal, logger }: PublishCoreOptions,
): Promise<PublishCoreSummary> {
  if (!/^[A-Za-z0-9_-]+$/.test(source)) throw new SourceNameError(source);
  // Hive readers pass over names that begin with a dot.
  const unfinished = join(to, "core", `.unfinished-${source}`);
  return await translatingFolderErrors(to, async () => {
    rmSync(unfinished, { recursive: true, force: true });
    makeFolder(unfinished);
    try {
      const summary: PublishCoreSummary = { files: 0, rows: 0 };
      for (const table of coreTables()) {
        signal?.throwIfAborted();
        const home = join(to, "core", table, `source=${source}`);
        const paths = table === "play" ? await listPlayMonths(warehouse) : new Map([["data.parquet", ""]]);
        for (const [path, where] of paths) {
          const select = `${await selectOf(warehouse, table)} ${where}`;
          const { finished } = await warehouse.interruptible(signal, () =>
            writeParquetFile(warehouse, { select, versionFolder: unfinished, path, hasDate: false }),
          );
          summary.files += 1;
          summary.rows += (await finished).rows;
          makeFolder(dirname(join(home, path)));
          renameDurably(join(unfinished, path), join(home, path));
        }
        if (table === "play")
          removeOtherMonths(home, new Set([...paths.keys()].map((path) => dirname(path))));
      }
      logger.info(`published core into ${to} as ${source}`, { ...summary });
      return summary;
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
}

/** Those that models read, e.g. `play`. */
function coreTables(): string[] {
  const reads = listModels().flatMap((model) => model.reads);
  const tables = reads.filter((name) => name.startsWith("core.") && !builderTables.has(name));
  return [...new Set(tables)].map((name) => name.slice("core.".length)).sort();
}

/** Each month's file, with what belongs into it. */
async function listPlayMonths(warehouse: DuckDb): Promise<Map<string, string>> {
  const months = await warehouse.all<{ month: string }>(
    "select distinct strftime(date, '%Y-%m') as month from (select distinct date from core.play) order by month",
  );
  return new Map(
    months.map(({ month }) => [
      `month=${month}/data.parquet`,
      `where date >= date '${month}-01' and date < date '${month}-01' + interval 1 month order by zone_id, played_at`,
    ]),
  );
}

/** Instants as such, as in the mart; local times plain; kinds as text. */
async function selectOf(warehouse: DuckDb, table: string): Promise<string> {
  const columns = await warehouse.all<{ name: string; type: string }>(
    `select column_name as name, column_type as type from (describe core.${table})`,
  );
  const list = columns.map(({ name, type }) => {
    if (type.startsWith("ENUM")) return `cast(${name} as varchar) as ${name}`;
    return type === "TIMESTAMP" && !name.endsWith("_local")
      ? `cast(${name} as timestamptz) as ${name}`
      : name;
  });
  return `select ${list.join(", ")} from core.${table}`;
}

function removeOtherMonths(home: string, months: ReadonlySet<string>): void {
  if (!existsSync(home)) return;
  for (const name of readdirSync(home)) {
    if (name.startsWith("month=") && !months.has(name)) rmSync(join(home, name), { recursive: true });
  }
}

/** A source's name that can't be part of a path. */
export class SourceNameError extends VenueError {
  override readonly name = "SourceNameError";
  readonly code = "SOURCE_NAME_INVALID";
  readonly category = "usage";

  constructor(source: string) {
    super(`--source is ${JSON.stringify(source)}; accepted: letters, digits, - and _.`);
  }
}
