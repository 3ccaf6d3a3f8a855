import { Collections } from "./collections.ts";
import { ExportJobs } from "./export-jobs.ts";
import { Landings } from "./landings.ts";
import { Runs } from "./runs.ts";
import { openSqlite } from "./sqlite.ts";

/** `state.db`: what must survive a crash or be seen by other processes on the same data folder. */
export interface DataState {
  runs: Runs;
  collections: Collections;
  exportJobs: ExportJobs;
  landings: Landings;
  close(): void;
}

/** Opens `state.db`, creates it where it is missing, and brings its schema up to date. */
export function openDataState(path: string): DataState {
  const database = openSqlite(path, "state/data");
  return {
    runs: new Runs(database),
    collections: new Collections(database),
    exportJobs: new ExportJobs(database),
    landings: new Landings(database),
    close: () => database.close(),
  };
}
