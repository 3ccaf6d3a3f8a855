import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { hasBrokenText } from "../broken-text.ts";
import { openSqlite, type Sqlite } from "../sqlite.ts";
import { SqliteUnusableError } from "../sqlite-errors.ts";

/** In `VENUE_HOME`. */
export const clientFileName = "client.db";

/**
 * Opens `client.db`, which holds the access token, the request budget and the kept answers of every API client that
 * this user uses. It is created, with its folder, where it is missing, and readable by its owner alone.
 */
export function openClientState(path: string): Sqlite {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new SqliteUnusableError(path, `its folder can't be made (${(cause as Error).message})`, { cause });
  }
  // After a power failure the token is asked for anew; no need to wait for the disk at every request.
  return openSqlite(path, "state/client", { durability: "normal", isDamaged: hasBrokenText });
}
