import { VenueError } from "../../util/venue-error.ts";

/** What the usual failures of a disk mean. */
const meanings: Readonly<Record<string, string>> = {
  EACCES: "there is no permission to write there",
  EPERM: "there is no permission to write there",
  EROFS: "that file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EISDIR: "that is a folder",
  ENOTDIR: "a part of that path is a file",
  EEXIST: "a part of that path is a file",
  ENOENT: "that folder can't be made",
  ENAMETOOLONG: "that name is too long",
};

/** A report can't be written where it was asked for. */
export class OutputError extends VenueError {
  override readonly name = "OutputError";
  readonly code = "OUTPUT";
  readonly category = "usage";
  readonly file: string;

  /** @param options its `cause` is the system's error */
  constructor(file: string, options: { cause: unknown }) {
    const { code = "", message } = options.cause as NodeJS.ErrnoException;
    super(
      `The report can't be written to ${file}: ${meanings[code] ?? message}. Choose another file with --out, or leave it out to print the report.`,
      options,
    );
    this.file = file;
  }
}
