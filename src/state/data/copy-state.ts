import { rmSync } from "node:fs";
import { openSqlite, type Sqlite } from "../sqlite.ts";

/**
 * Writes a copy of `state.db` as it is now, which other processes may go on using. The copy knows nothing of the run
 * that is under way, and holds no lock.
 */
export function copyState(database: Sqlite, to: string): void {
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
