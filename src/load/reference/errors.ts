import { VenueError } from "../../util/venue-error.ts";

/** A line of a reference file is invalid. */
export class ReferenceFileError extends VenueError {
  readonly path: string;
  readonly lineNumber: number;

  constructor(path: string, lineNumber: number, value: string, accepted: string, options?: ErrorOptions) {
    super(
      "REFERENCE_FILE_INVALID",
      "usage",
      `${path}, line ${lineNumber}: "${value}" is invalid; expected ${accepted}. Fix the line, and run this again.`,
      options,
    );
    this.path = path;
    this.lineNumber = lineNumber;
  }
}

export function twoFilesError(path: string, workbook: string): VenueError {
  return new VenueError(
    "REFERENCE_FILE_TWICE",
    "usage",
    `Both ${path} and ${workbook} have entries. Remove one of them, and run this again.`,
  );
}

/** The path of a reference file is not a usable file, or is a link to a missing file. */
export function noReferenceFileError(path: string, reason: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "REFERENCE_FILE_IS_NONE",
    "usage",
    `${path} ${reason}. Replace it with a ${path.endsWith(".csv") ? "CSV file" : "workbook"} or remove it, and run this again.`,
    options,
  );
}
