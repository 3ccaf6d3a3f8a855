import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RequestRecord } from "../../src/emulator/server/service.ts";
import { openSqlite } from "../../src/state/sqlite.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** Export requests without a response: only the service knows whether there is a job. */
export function countUnanswered(dataFolder: string): number {
  if (!existsSync(join(dataFolder, "state.db"))) return 0;
  const files = readdirSync(dataFolder).filter((name) => name.startsWith("state.db"));
  // SQLite's library releases a file some time after it is closed, so this opens a copy.
  const copy = createTempFolder();
  for (const name of files) copyFileSync(join(dataFolder, name), join(copy, name));
  const database = openSqlite(join(copy, "state.db"), "state/data");
  try {
    return database.get<{ count: number }>("select count(*) as count from export_job where job_id is null")
      .count;
  } finally {
    database.close();
  }
}

/**
 * The most history pages that any run requested again for a zone.
 * @param killedAfter number of requests when each run was killed
 */
export function countRepeatedPages(
  requests: readonly RequestRecord[],
  killedAfter: readonly number[],
): number {
  const earlier = new Set<string>();
  let most = 0;
  for (const [run, from] of [0, ...killedAfter].entries()) {
    const pages = requests
      .slice(from, killedAfter[run])
      .filter(({ path, status }) => path.endsWith("/history") && status !== 401)
      .map(({ path, query }) => ({ page: `${path} ${query}`, zone: `${path} ${query.split("&")[0]}` }));
    const again = new Map<string, number>();
    for (const { page, zone } of pages) if (earlier.has(page)) again.set(zone, (again.get(zone) ?? 0) + 1);
    most = Math.max(most, ...again.values());
    for (const { page } of pages) earlier.add(page);
  }
  return most;
}
