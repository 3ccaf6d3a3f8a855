import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { findInvalidLine } from "../../util/text/invalid-line.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import { noReferenceFileError, ReferenceFileError } from "./errors.ts";

/** @throws {VenueError} `REFERENCE_FILE_IS_NONE` */
export function readBytes(path: string): Buffer {
  const stats = statSync(path, { throwIfNoEntry: false });
  // If a broken link were treated as a missing file, all entries of the file would silently be removed.
  if (!stats) throw noReferenceFileError(path, "is a link to a missing file");
  // Reading a pipe would wait for a writer.
  if (stats.isDirectory() || stats.isFIFO()) throw noReferenceFileError(path, "is not a file");
  try {
    return readFileSync(path);
  } catch (cause) {
    throw noReferenceFileError(path, `can't be read (${getErrorMessage(cause)})`, { cause });
  }
}

/** Requires UTF-8, or UTF-16 with a byte order mark: other bytes would silently become wrong characters. */
export function readText(path: string): string {
  const bytes = readBytes(path);
  if (bytes.subarray(0, 4).equals(zipStart)) {
    const name = basename(path).replace(/\.csv$/, ".xlsx");
    throw noReferenceFileError(
      path,
      `is a workbook, not a CSV file. If Excel wrote it, rename it to ${name}`,
    );
  }
  const utf16 = decodeUtf16(bytes);
  if (utf16 !== undefined) return utf16;
  // Text contains no NUL, unless it is UTF-16.
  const isText = (part: Buffer) => isUtf8(part) && !part.includes(0);
  if (isText(bytes)) return bytes.toString();
  const { lineNumber = 0, line = "" } = findInvalidLine(bytes, isText) ?? {};
  const value = line.replaceAll("\0", "").trim().slice(0, 100);
  throw new ReferenceFileError(path, lineNumber, value, "UTF-8 text (in Excel, save as “CSV UTF-8”)");
}

/** Workbooks are ZIP files. */
const zipStart = Buffer.from("PK\u0003\u0004");

/** Decodes a file that Excel saved as “Unicode Text”. */
function decodeUtf16(bytes: Buffer): string | undefined {
  const encoding = { fffe: "utf-16le", feff: "utf-16be" }[bytes.toString("hex", 0, 2)];
  if (encoding === undefined) return undefined;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
