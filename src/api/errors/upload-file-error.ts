import { VenueError } from "../../util/venue-error.ts";

/** A file can't be uploaded; nothing was sent. */
export class UploadFileError extends VenueError {
  override readonly name = "UploadFileError";
  readonly code = "UPLOAD_FILE_UNUSABLE";
  readonly category = "usage";
  readonly path: string;

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(
      `${path} can't be uploaded: ${problem}. Name an existing, readable file that is not empty.`,
      options,
    );
    this.path = path;
  }
}
