import { hasBrokenText } from "../broken-text.ts";
import { openSqlite } from "../sqlite.ts";
import { Collections } from "./collections.ts";
import { copyState } from "./copy-state.ts";
import { ExportJobs } from "./export-jobs.ts";
import { KnownNotices } from "./known-notices.ts";
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
