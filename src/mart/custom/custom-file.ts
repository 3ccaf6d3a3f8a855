import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { blankFinalSemicolons } from "../../engines/sql-text.ts";
import { QueryLimits } from "../../util/query-limits.ts";
import { findInvalidLine } from "../../util/text/invalid-line.ts";
import { countOf } from "../../util/text/words.ts";
import { getErrorMessage, VenueError } from "../../util/venue-error.ts";

export type CustomKind = "reports" | "checks";

/** A user's SQL file: `reports/NAME.sql` or `checks/NAME.sql` in the folder of custom files. */
export interface CustomFile {
  name: string;
  /** Path for messages, e.g. `own/reports/repeats.sql`. */
  path: string;
  /** With line feeds, and without final semicolons; lines and columns are those of the file. */
  sql: string;
  /** The reason why it cannot be used, e.g. its name. */
  problem?: VenueError;
}

/** Names are also used in file names, addresses and command lines. */
export const customName = /^[a-z][a-z0-9_-]{0,59}$/;

/** Lists the files of a kind by name; none if the folder is missing. */
export function listCustomFiles(folder: string, kind: CustomKind): CustomFile[] {
  const place = join(folder, kind);
  if (!existsSync(place)) return [];
  let names: string[];
  try {
    names = readdirSync(place);
  } catch (cause) {
    const path = join(basename(folder), kind);
    const problem = customError(
      `${path} can't be read (${getErrorMessage(cause)}). Make it a readable folder.`,
    );
    return [{ name: kind, path, sql: "", problem }];
  }
  return names
    .filter((file) => file.endsWith(".sql") && !file.startsWith("."))
    .sort()
    .map((file) => readCustomFile(folder, kind, file.slice(0, -".sql".length)));
}

/** Returns one file, if it exists and its name can be used. */
export function findCustomFile(folder: string, kind: CustomKind, name: string): CustomFile | undefined {
  return customName.test(name) && existsSync(customFilePath(folder, kind, name))
    ? readCustomFile(folder, kind, name)
    : undefined;
}

export function customFilePath(folder: string, kind: CustomKind, name: string): string {
  return join(folder, kind, `${name}.sql`);
}

function readCustomFile(folder: string, kind: CustomKind, name: string): CustomFile {
  const file = { name, path: join(basename(folder), kind, `${name}.sql`), sql: "" };
  if (!customName.test(name)) {
    return {
      ...file,
      problem: customError(
        `${file.path} can't be used: its name must be lower-case letters, digits, - and _, beginning with a letter. Rename it.`,
      ),
    };
  }
  try {
    return { ...file, sql: plainText(readText(customFilePath(folder, kind, name))) };
  } catch (cause) {
    return { ...file, problem: customError(`${file.path} ${getErrorMessage(cause)}`, { cause }) };
  }
}

/** Maximum file size in bytes. */
const maxBytes = 1_000_000;

/** @throws {Error} with a message that is appended to the file's name */
function readText(path: string): string {
  let content: Buffer;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new Error("it is not a file");
    if (found.size > maxBytes) throw new Error("it is larger than 1 MB");
    content = readFileSync(path);
  } catch (cause) {
    throw new Error(`can't be read (${getErrorMessage(cause)}). Replace or remove it.`, { cause });
  }
  if (isUtf8(content)) return content.toString("utf8");
  const found = findInvalidLine(content, isUtf8);
  throw new Error(`is not UTF-8 in line ${found?.lineNumber}. Save it as UTF-8.`);
}

function plainText(text: string): string {
  const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  return `${blankFinalSemicolons(plain).trimEnd()}\n`;
}

export function customError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("OWN_FILE", "usage", message, options);
}

/** Limits the time and memory that a custom file may use. @param end as for `QueryLimits` */
export function limitCustom(
  { path }: Pick<CustomFile, "path">,
  { seconds, memoryLimit }: { seconds: number; memoryLimit: string },
  end?: (error: VenueError) => void,
): QueryLimits {
  return new QueryLimits({
    memoryLimit,
    maxMs: seconds * 1000,
    tooLong: `${path} did not end within ${countOf(seconds, "second")} (VENUE_OWN_SECONDS), and was stopped. Use the daily tables, a shorter period, or allow more time.`,
    ...(end && { end }),
  });
}
