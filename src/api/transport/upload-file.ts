import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, extname } from "node:path";
import { uploadFileError } from "../errors.ts";

/** A multipart form of known length that contains a file. Each attempt streams the file from disk. */
export class UploadForm implements AsyncIterable<Uint8Array> {
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly #path: string;
  readonly #fileBytes: number;
  readonly #head: Buffer;
  readonly #tail: Buffer;
  /** True if the latest attempt has reached the end of the form. */
  wasSent = false;

  /** Use `openUpload` instead, which checks the file. */
  constructor(path: string, fileBytes: number, fields: object) {
    const boundary = `----venue-${randomUUID()}`;
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    const parts = Object.entries(fields).map(
      ([name, value]) => `${formatDisposition(name)}\r\n\r\n${String(value).replace(/\r\n?|\n/g, "\r\n")}`,
    );
    const file = `${formatDisposition("file", basename(path))}\r\nContent-Type: ${findContentType(path)}\r\n\r\n`;
    this.#head = Buffer.from([...parts, file].map((part) => `--${boundary}\r\n${part}`).join("\r\n"));
    this.#tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    this.#path = path;
    this.#fileBytes = fileBytes;
    this.sizeBytes = this.#head.length + fileBytes + this.#tail.length;
  }

  /** Throws if the file has become shorter, because the announced length must be sent. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    this.wasSent = false;
    yield this.#head;
    let leftBytes = this.#fileBytes;
    for await (const piece of createReadStream(this.#path, { end: this.#fileBytes - 1 })) {
      leftBytes -= piece.length;
      yield piece;
    }
    if (leftBytes > 0) throw uploadFileError(this.#path, "it was truncated while being sent");
    this.wasSent = true;
    yield this.#tail;
  }
}

/**
 * Opens a form that contains the given fields, and the file in the field `file`.
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

/** Content types of formats that media players support. The service documents none (interface.md, Limits). */
const contentTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    audio: "aac aif=aiff aiff flac m4a=mp4 mp3=mpeg oga=ogg ogg opus=ogg wav wma=x-ms-wma",
    image: "avif bmp gif heic jpeg jpg=jpeg png svg=svg+xml tif=tiff tiff webp",
    video: "avi=x-msvideo m4v=mp4 mkv=x-matroska mov=quicktime mp4 mpeg mpg=mpeg webm wmv=x-ms-wmv",
  }).flatMap(([medium, formats]) =>
    formats.split(" ").map((format) => {
      const [extension, subtype = extension] = format.split("=");
      return [`.${extension}`, `${medium}/${subtype}`] as const;
    }),
  ),
);

function findContentType(path: string): string {
  return contentTypes.get(extname(path).toLowerCase()) ?? "application/octet-stream";
}
