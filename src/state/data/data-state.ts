import { rmSync } from "node:fs";
import { hasBrokenText, openSqlite, type Sqlite } from "../sqlite.ts";
import { Collections, KnownNotices } from "./collections.ts";
import { ExportJobs } from "./export-jobs.ts";
import { Landings } from "./landings.ts";
import { Runs } from "./runs.ts";
import { Walks } from "./walks.ts";
import { Zones } from "./zones.ts";

/** `state.db`: what must survive a crash or be seen by other processes on the same data folder. */
export interface DataState {
  runs: Runs;
  collections: Collections;
  exportJobs: ExportJobs;
  landings: Landings;
  walks: Walks;
  zones: Zones;
  knownNotices: KnownNotices;
  /** Writes a copy of it without the run that is under way. */
  copyTo(path: string): void;
  /** Puts all of it into one file, for a folder that is moved before this process ends. Nobody else may have it open. */
  settle(): void;
  close(): void;
}

/** Opens `state.db`, creates it where it is missing, and brings its schema up to date. */
export function openDataState(path: string): DataState {
  const database = openSqlite(path, "state/data", { isDamaged: hasBrokenText });
  return {
    runs: new Runs(database),
    collections: new Collections(database),
    exportJobs: new ExportJobs(database),
    landings: new Landings(database),
    walks: new Walks(database),
    zones: new Zones(database),
    knownNotices: new KnownNotices(database),
    copyTo: (path) => copyState(database, path),
    settle: () => database.script("pragma journal_mode = delete"),
    close: () => database.close(),
  };
}

/**
 * Writes a copy of `state.db` as it is now, which other processes may go on using. The copy knows nothing of the run
 * that is under way, and holds no lock.
 */
function copyState(database: Sqlite, to: string): void {
  rmSync(to, { force: true });
  database.copyTo(to);
  const copy = openSqlite(to, "state/data");
  try {
    copy.immediate(() => {
      copy.run("delete from run_lock");
      copy.run("delete from run where status = 'running'");
    });
  } finally {
    copy.close();
  }
}
