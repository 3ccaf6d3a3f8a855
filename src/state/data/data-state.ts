import { rmSync } from "node:fs";
import { hasInvalidText, isDatabaseDamaged, openSqlite, type Sqlite } from "../sqlite.ts";
import { Collections, KnownNotices } from "./collections.ts";
import { ExportJobs } from "./export-jobs.ts";
import { Histories } from "./histories.ts";
import { Incidents } from "./incidents.ts";
import { Landings } from "./landings.ts";
import { Outbox } from "./outbox.ts";
import { Runs } from "./runs.ts";
import { Shares } from "./shares.ts";
import { Stores } from "./stores.ts";
import { Walks } from "./walks.ts";
import { Zones } from "./zones.ts";

/**
 * State in `state.db`, which must survive a crash or be visible to other processes that use the data folder.
 */
export interface DataState {
  runs: Runs;
  collections: Collections;
  exportJobs: ExportJobs;
  landings: Landings;
  walks: Walks;
  zones: Zones;
  histories: Histories;
  stores: Stores;
  knownNotices: KnownNotices;
  incidents: Incidents;
  outbox: Outbox;
  shares: Shares;
  /** Runs the synchronous `body` in one transaction: all of its writes are applied, or none. */
  atomically(body: () => void): void;
  /** Writes a copy without the current run. */
  copyTo(path: string): void;
  /**
   * Merges the write-ahead log into the file, so that it can be moved while open. No other process may have
   * it open.
   */
  finish(): void;
  close(): void;
}

/**
 * Opens `state.db`, creates it if missing, and migrates its schema.
 * @param isReader true to skip the check of the whole file, which takes time
 */
export function openDataState(path: string, { isReader = false } = {}): DataState {
  const isDamaged = isReader ? hasInvalidText : isDatabaseDamaged;
  const database = openSqlite(path, "state/data", { isDamaged });
  return {
    runs: new Runs(database),
    collections: new Collections(database),
    exportJobs: new ExportJobs(database),
    landings: new Landings(database),
    walks: new Walks(database),
    zones: new Zones(database),
    histories: new Histories(database),
    stores: new Stores(database),
    knownNotices: new KnownNotices(database),
    incidents: new Incidents(database),
    outbox: new Outbox(database),
    shares: new Shares(database),
    atomically: (body) => database.immediate(body),
    copyTo: (path) => copyState(database, path),
    finish: () => database.script("pragma journal_mode = delete"),
    close: () => database.close(),
  };
}

/** Writes a copy without the current run and the lock. Other processes may use `state.db` at the same time. */
function copyState(database: Sqlite, to: string): void {
  rmSync(to, { force: true });
  database.copyTo(to);
  const copy = openSqlite(to, "state/data");
  try {
    copy.immediate(() => {
      copy.run("delete from run_lock");
      copy.run("delete from run where status = 'running'");
    });
    // Leaves no WAL file, because the library may close the database only at process exit.
    copy.script("pragma journal_mode = delete");
  } finally {
    copy.close();
  }
}
