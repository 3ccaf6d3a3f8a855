import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, extname } from "node:path";
import { uploadFileError } from "../errors.ts";

/** Size of the buffer. It must exceed a socket's high-water mark: see `#pieces`. */
const pieceBytes = 256 * 1024;

/** A multipart form of known length that contains a file. Each attempt streams the file from disk. */
export class UploadForm implements AsyncIterable<Uint8Array> {
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly #path: string;
  readonly #fileBytes: number;
  readonly #head: Buffer;
  readonly #tail: Buffer;
  /** The latest attempt has reached the end of the form. */
  wasSent = false;
  /** Open files of attempts in progress. */
  readonly #handles = new Set<FileHandle>();

  /** Use `openUpload` instead, which checks the file. */
  constructor(path: string, fileBytes: number, fields: object) {
    const boundary = `----venue-${randomUUID()}`;
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    const parts = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(
        ([name, value]) => `${formatDisposition(name)}\r\n\r\n${String(value).replace(/\r\n?|\n/g, "\r\n")}`,
      );
    const file = `${formatDisposition("file", basename(path))}\r\nContent-Type: ${findContentType(path)}\r\n\r\n`;
    this.#head = Buffer.from([...parts, file].map((part) => `--${boundary}\r\n${part}`).join("\r\n"));
    this.#tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    this.#path = path;
    this.#fileBytes = fileBytes;
    this.sizeBytes = this.#head.length + fileBytes + this.#tail.length;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    this.wasSent = false;
    const handle = await openFile(this.#path);
    this.#handles.add(handle);
    try {
      yield this.#head;
      yield* this.#pieces(handle);
      this.wasSent = true;
      yield this.#tail;
    } finally {
      this.#handles.delete(handle);
      await handle.close();
    }
  }

  /** Closes files left open by an interrupted attempt. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#handles].map((handle) => handle.close()));
  }

  /**
   * Reuses one buffer for all pieces, which would otherwise pile up to many megabytes of garbage. This is
   * safe because a socket applies back-pressure after each piece of `pieceBytes` and resumes once it has
   * written it; only the last piece may be smaller, and nothing is read after it.
   */
  async *#pieces(handle: FileHandle): AsyncGenerator<Uint8Array, void, undefined> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, this.#fileBytes));
    for (let position = 0; position < this.#fileBytes; ) {
      const piece = buffer.subarray(0, Math.min(buffer.length, this.#fileBytes - position));
      await this.#fill(piece, handle, position);
      position += piece.length;
      yield piece;
    }
  }

  /**
   * Fills a piece from the file. A file that has become shorter is an error, because the announced length
   * must be sent.
   */
  async #fill(piece: Buffer, handle: FileHandle, position: number): Promise<void> {
    for (let filled = 0; filled < piece.length; ) {
      const { bytesRead } = await handle.read(piece, filled, piece.length - filled, position + filled);
      if (bytesRead === 0) throw uploadFileError(this.#path, "it was truncated while being sent");
      filled += bytesRead;
    }
  }
}

/**
 * Opens a form that contains the given fields, and the file in the field `file`. Close it once it is sent.
 * @param fields `undefined` values are omitted
 * @throws {VenueError} `UPLOAD_FILE_UNUSABLE` if the file is missing, unreadable or empty
 */
export async function openUpload(path: string, fields: object): Promise<UploadForm> {
  const handle = await openFile(path);
  try {
    const file = await handle.stat();
    if (!file.isFile()) throw uploadFileError(path, "it is not a regular file");
    if (file.size === 0) throw uploadFileError(path, "it is empty");
    return new UploadForm(path, file.size, fields);
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    // Without `O_NONBLOCK`, opening a pipe would block until something writes to it.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw uploadFileError(path, describeProblem(error as NodeJS.ErrnoException), { cause: error });
  }
}

function describeProblem({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "it does not exist";
  if (code === "EACCES" || code === "EPERM") return "this user may not read it";
  return message;
}

/** Escapes names as browsers do, so that quotes and line breaks can't end them. */
function formatDisposition(name: string, fileName?: string): string {
  const quote = (text: string) =>
    `"${text.replace(/\n/g, "%0A").replace(/\r/g, "%0D").replace(/"/g, "%22")}"`;
  const file = fileName === undefined ? "" : `; filename=${quote(fileName)}`;
  return `Content-Disposition: form-data; name=${quote(name)}${file}`;
}

/** Formats that media players support. The service documents none (interface.md, Limits). */
const contentTypes: Readonly<Record<string, string>> = {
  ".aac": "audio/aac",
  ".aif": "audio/aiff",
  ".aiff": "audio/aiff",
  ".flac": "audio/flac",
  ".m4a": "audio/mp4",
  ".mp3": "audio/mpeg",
  ".oga": "audio/ogg",
  ".ogg": "audio/ogg",
  ".opus": "audio/ogg",
  ".wav": "audio/wav",
  ".wma": "audio/x-ms-wma",
  ".avif": "image/avif",
  ".bmp": "image/bmp",
  ".gif": "image/gif",
  ".heic": "image/heic",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".tif": "image/tiff",
  ".tiff": "image/tiff",
  ".webp": "image/webp",
  ".avi": "video/x-msvideo",
  ".m4v": "video/mp4",
  ".mkv": "video/x-matroska",
  ".mov": "video/quicktime",
  ".mp4": "video/mp4",
  ".mpeg": "video/mpeg",
  ".mpg": "video/mpeg",
  ".webm": "video/webm",
  ".wmv": "video/x-ms-wmv",
};

/** Returns the content type for a file's extension, or `application/octet-stream` if it is unknown. */
function findContentType(path: string): string {
  return contentTypes[extname(path).toLowerCase()] ?? "application/octet-stream";
}
