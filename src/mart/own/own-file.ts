import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { blankFinalSemicolons } from "../../engines/sql-text.ts";
import { countOf } from "../../util/text/words.ts";
import { getErrorMessage, VenueError } from "../../util/venue-error.ts";

export type OwnKind = "reports" | "checks";

/** A user's SQL file: `reports/NAME.sql` or `checks/NAME.sql` in the folder of own files. */
export interface OwnFile {
  name: string;
  /** Path for messages, e.g. `own/reports/repeats.sql`. */
  path: string;
  /** With line feeds, and without final semicolons; lines and columns are those of the file. */
  sql: string;
  /** The reason why it cannot be used, e.g. its name. */
  problem?: VenueError;
}

/** Also file names, addresses and words of commands. */
export const ownName = /^[a-z][a-z0-9_-]{0,59}$/;

/** Lists the files of a kind by name; none if the folder is missing. */
export function listOwnFiles(folder: string, kind: OwnKind): OwnFile[] {
  const place = join(folder, kind);
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((file) => file.endsWith(".sql") && !file.startsWith("."))
    .sort()
    .map((file) => readOwnFile(folder, kind, file.slice(0, -".sql".length)));
}

export function ownFilePath(folder: string, kind: OwnKind, name: string): string {
  return join(folder, kind, `${name}.sql`);
}

function readOwnFile(folder: string, kind: OwnKind, name: string): OwnFile {
  const file = { name, path: join(basename(folder), kind, `${name}.sql`), sql: "" };
  if (!ownName.test(name)) {
    return {
      ...file,
      problem: ownError(
        `${file.path} can't be used: its name must be lower-case letters, digits, - and _, beginning with a letter. Rename it.`,
      ),
    };
  }
  try {
    return { ...file, sql: plainText(readFileSync(ownFilePath(folder, kind, name), "utf8")) };
  } catch (cause) {
    return { ...file, problem: ownError(`${file.path} can't be read: ${getErrorMessage(cause)}`, { cause }) };
  }
}

function plainText(text: string): string {
  const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  return `${blankFinalSemicolons(plain).trimEnd()}\n`;
}

export function ownError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("OWN_FILE", "usage", message, options);
}

/** States that an own file ran out of time, and what to do. */
export function ownTooLong(path: string, seconds: number): string {
  return `${path} did not end within ${countOf(seconds, "second")} (VENUE_OWN_SECONDS), and was stopped. Use the daily tables, a shorter period, or allow more time.`;
}
