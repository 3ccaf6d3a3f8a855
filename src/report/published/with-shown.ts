import type { Settings } from "../../config/settings.ts";
import { connectNessie, connectTrino } from "../../engines/connect-cluster.ts";
import { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { listLocalTimes } from "../../engines/duckdb/local-dates.ts";
import { parseSelect } from "../../engines/duckdb/sql-tree.ts";
import type { Nessie, NessieVersion } from "../../engines/nessie/nessie.ts";
import type { TrinoEngine } from "../../engines/trino/trino-engine.ts";
import { catalogs } from "../../engines/trino/trino-options.ts";
import { noVersionError } from "../../mart/errors.ts";
import { findShown, type PastVersion } from "../../mart/shown-versions.ts";
import type { Logger } from "../../util/logger.ts";
import { formatInstant } from "../text/cell-text.ts";
import type { PublishedMart } from "./published-mart.ts";
import { createRememberedRows, rememberRows } from "./remember-rows.ts";
import { listMissingColumns } from "./run-state.ts";

export interface ShownOptions {
  /** E.g. `v000007`. @default the current version */
  asOf?: string | undefined;
  signal: AbortSignal;
  logger: Logger;
}

/** Opens a version built by Trino for `body`. Throws like `openShown`. */
export async function withShown<Result>(
  settings: Settings,
  { signal, ...options }: ShownOptions,
  body: (mart: PublishedMart) => Promise<Result>,
): Promise<Result> {
  const { martFor, close } = await openShown(settings, options);
  const mart = martFor(signal);
  try {
    return await body(mart);
  } finally {
    mart.close();
    close();
  }
}

export interface OpenedShown {
  version: string;
  /** Returns a mart whose statements the signal interrupts; close it after use. */
  martFor(signal: AbortSignal | undefined): PublishedMart;
  close(): void;
}

/**
 * Opens a version built by Trino. Later versions do not affect it.
 * @throws {VenueError} `NOTHING_SHOWN` when nothing was built there yet
 * @throws {UnknownVersionError} when `asOf` was never published
 */
export async function openShown(
  settings: Settings,
  { asOf, logger }: Omit<ShownOptions, "signal">,
): Promise<OpenedShown> {
  const { relations, ...shown } = await findVersion(settings, { asOf, logger });
  const connect = (signal?: AbortSignal) =>
    connectTrino(settings, logger, {
      catalog: catalogs.mart,
      schema: "mart",
      relations,
      ...(signal && { signal }),
    });
  const initial = connect();
  const columns = await listColumns(initial).finally(() => initial.close());
  // This database only parses SQL and converts time zones; it contains no data.
  const parser = await DuckDb.open();
  const remembered = createRememberedRows();
  return {
    version: shown.version,
    martFor: (signal) => {
      const trino = connect(signal);
      return {
        version: shown.version,
        dataAsOf: shown.dataAsOf === null ? null : formatInstant(shown.dataAsOf),
        tables: Object.keys(columns).sort(),
        listMissing: () => listMissingColumns({ tables: columns }),
        stream: (sql, parameters) => trino.stream(sql, parameters),
        all: rememberRows(remembered, (sql, parameters) => trino.all(sql, parameters)),
        // On a cluster, the staging views are tables, so there is nothing to define.
        defineStaging: async () => {},
        listLocalTimes: (timeZones, instants) => listLocalTimes(parser, timeZones, instants),
        parse: (sql) => parseSelect(parser, sql),
        close: () => trino.close(),
      };
    },
    close: () => parser.close(),
  };
}

/** @throws {VenueError} `NOTHING_SHOWN` when nothing was built there yet */
export async function findShownNow(settings: Settings, logger: Logger): Promise<string> {
  return (await findVersion(settings, { logger })).version;
}

/** Finds a version and its relations, keyed by `schema.table`; those of `mart` are also keyed by table name. */
async function findVersion(
  settings: Settings,
  { asOf, logger }: Pick<ShownOptions, "asOf" | "logger">,
): Promise<PastVersion & { relations: Record<string, string> }> {
  const nessie = connectNessie(settings, logger);
  try {
    const shown = await findShown(nessie, asOf);
    if (!shown) throw noVersionError(catalogs.mart);
    const relations = await listRelations(nessie, shown.at, catalogs.mart);
    const martRelations = Object.entries(relations).filter(([name]) => name.startsWith("mart."));
    const alone = martRelations.map(([name, relation]) => [name.slice("mart.".length), relation]);
    return { ...shown, relations: { ...relations, ...Object.fromEntries(alone) } };
  } finally {
    nessie.close();
  }
}

async function listColumns(trino: TrinoEngine): Promise<Record<string, { columns: { name: string }[] }>> {
  const rows = await trino.all<{ table: string; name: string }>(
    `select table_name as "table", column_name as name from information_schema.columns where table_schema = 'mart'`,
  );
  const tables: Record<string, { columns: { name: string }[] }> = {};
  for (const { table, name } of rows) {
    tables[table] ??= { columns: [] };
    tables[table].columns.push({ name });
  }
  return tables;
}

/**
 * Returns a version's tables as relations by `namespace.table`, pinned to their snapshots. Trino resolves a branch for
 * each table, so a join could otherwise read some tables before a merge and others after it.
 * @param catalog Trino's catalog for the branch of the version
 */
export async function listRelations(
  nessie: Nessie,
  version: NessieVersion,
  catalog: string,
): Promise<Record<string, string>> {
  const tables = await nessie.getTables(version);
  return Object.fromEntries(
    [...tables].map(([name, { snapshotId }]) => {
      const table = `${catalog}.${name}`;
      // The table was created but never written.
      if (snapshotId === "-1") return [name, `(select * from ${table} where false)`];
      return [name, `${table} for version as of ${snapshotId}`];
    }),
  );
}
