import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { Download, Downloads } from "../api/download.ts";
import { LinkRefusedError } from "../api/errors/link-refused-error.ts";
import { UnexpectedResponseError } from "../api/errors/unexpected-response-error.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import { VenueError } from "../util/venue-error.ts";
import { endsWithWholeLine } from "./file-end.ts";
import { isGzip, unpackGzip } from "./unpack-gzip.ts";

/** Bytes that are read again where the server gives no strong entity tag, to see that it is still the same file. */
const overlapBytes = 4096;
/** Attempts in a row that may bring nothing new. */
const fruitlessLimit = 8;

export interface DownloadFileOptions {
  downloads: Downloads;
  /** Asks the service for a link that is valid now. */
  getLink(): Promise<string>;
  /** Where the whole file goes; `path + ".part"` holds what has come so far, across runs. */
  path: string;
  /** Strong entity tag of the file whose beginning the part holds. */
  etag: string | null;
  /** Told when the server names another one. */
  onEtag(etag: string | null): void;
  onBytes(count: number): void;
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
}

/** How one attempt ended: the file is whole, there may be more, or what we have is of another file. */
type Outcome = "whole" | "more" | "restart";

/**
 * Downloads a file until it is proven whole, then renames it to `path`. What arrived is kept over cut connections,
 * expired links and restarts of this program, and resumed by Range. A file counts as whole when the server has no
 * byte after its end (asked for by Range), or, where it ignores Range, when the length matches and the last line
 * is whole: lengths alone can lie.
 *
 * @returns its size in bytes
 * @throws {DownloadFailedError} when repeated attempts bring nothing more; what came is kept
 */
export async function downloadFile(options: DownloadFileOptions): Promise<number> {
  const download = new PartialDownload(options);
  for (let fruitless = 0; ; ) {
    const sizeBefore = await download.size();
    const link = await download.getLink();
    let failure: unknown;
    try {
      const outcome = await download.attempt(link);
      if (outcome === "whole" && (await download.unpack())) return await download.finish();
      if (outcome !== "more") await download.restart();
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason;
      if (!(error instanceof VenueError) || error.category !== "service") throw error;
      failure = error;
    }
    fruitless = (await download.size()) > sizeBefore ? 0 : fruitless + 1;
    // A length that was announced too long: the connection breaks, or stalls, although all is there.
    if (failure && fruitless > 0 && (await download.probe(link)) === "end") return await download.finish();
    if (fruitless >= fruitlessLimit) throw new DownloadFailedError(options.path, { cause: failure });
    if (failure) options.logger.debug(`download interrupted, goes on: ${(failure as Error).message}`);
    if (fruitless > 0)
      await options.clock.sleep(Math.min(250 * 2 ** fruitless, 20_000) * Math.random(), options.signal);
  }
}

class PartialDownload {
  readonly #options: DownloadFileOptions;
  readonly #part: string;
  #etag: string | null;
  #link: string | undefined;
  /** The server compresses whatever is asked: nothing can be resumed, and the end of the stream proves itself. */
  #isEncoded = false;
  /** The server answers a Range with something else: everything is asked for anew. */
  #isRangeBroken = false;
  /** Size of the last whole-looking file that could not be proven: the same size twice is taken for whole. */
  #unprovenSize: number | undefined;

  constructor(options: DownloadFileOptions) {
    this.#options = options;
    this.#part = `${options.path}.part`;
    this.#etag = options.etag;
  }

  async size(): Promise<number> {
    return (await stat(this.#part).catch(() => undefined))?.size ?? 0;
  }

  /** A link that worked last, or a new one. A failure to get one is final: the client has tried again already. */
  async getLink(): Promise<string> {
    this.#link ??= await this.#options.getLink();
    return this.#link;
  }

  async attempt(link: string): Promise<Outcome> {
    const size = this.#isEncoded || this.#isRangeBroken ? 0 : await this.size();
    const overlap = this.#etag === null ? Math.min(size, overlapBytes) : 0;
    const response = await this.#open(link, size - overlap);
    if (response.status === 416) {
      response.body.destroy();
      return response.totalBytes === undefined || response.totalBytes === size ? "whole" : "restart";
    }
    if (response.isEncoded) return await this.#receiveEncoded(response);
    if (response.offset === 0) return await this.#receive(response, link, 0);
    if (this.#etag !== null && response.etag !== null && response.etag !== this.#etag) {
      response.body.destroy();
      return "restart";
    }
    return await this.#receive(response, link, size, overlap);
  }

  async restart(): Promise<void> {
    await rm(this.#part, { force: true });
    this.#setEtag(null);
  }

  /** A file that is gzip itself becomes what is in it. Answers whether it was whole. */
  async unpack(): Promise<boolean> {
    const isPacked = (await this.size()) > 0 && (await isGzip(this.#part));
    return !isPacked || (await unpackGzip(this.#part, this.#options.signal));
  }

  async finish(): Promise<number> {
    const file = await open(this.#part, "a");
    await file.sync().finally(() => file.close());
    await rename(this.#part, this.#options.path);
    return (await stat(this.#options.path)).size;
  }

  async #open(link: string, offset: number): Promise<Download> {
    const { downloads, signal } = this.#options;
    const ifRange = this.#etag;
    try {
      return await downloads.open({ url: link, offset, ...(ifRange === null ? {} : { ifRange }), signal });
    } catch (error) {
      if (error instanceof LinkRefusedError) this.#link = undefined;
      if (error instanceof UnexpectedResponseError && offset > 0) this.#isRangeBroken = true;
      throw error;
    }
  }

  /** Writes a body that begins at `size - overlap`; `size` 0 begins the file anew. */
  async #receive(response: Download, link: string, size: number, overlap = 0): Promise<Outcome> {
    if (size === 0) {
      await rm(this.#part, { force: true });
      this.#setEtag(response.etag);
    }
    const known = overlap > 0 ? await this.#read(size - overlap, overlap) : Buffer.alloc(0);
    const write = () => createWriteStream(this.#part, { flags: "a" });
    const isSame = await pipeWithoutPrefix(response.body, known, write, this.#options);
    if (!isSame) return "restart";
    return await this.#judge(link, response.totalBytes);
  }

  /** A compressed stream ends with a checksum: when it ends without an error, it is whole. */
  async #receiveEncoded(response: Download): Promise<Outcome> {
    this.#isEncoded = true;
    await this.restart();
    await pipeWithoutPrefix(
      response.body,
      Buffer.alloc(0),
      () => createWriteStream(this.#part),
      this.#options,
    );
    return "whole";
  }

  /** The stream ended without an error: is that all? */
  async #judge(link: string, totalBytes: number | undefined): Promise<Outcome> {
    const size = await this.size();
    if (totalBytes !== undefined && size < totalBytes) return "more";
    const probe = await this.probe(link);
    if (probe === "end") return "whole";
    if (probe === "more") return "more";
    const isLikelyWhole =
      (totalBytes === size || (totalBytes === undefined && size > 0)) &&
      (await endsWithWholeLine(this.#part));
    if (isLikelyWhole || this.#unprovenSize === size) return "whole";
    this.#unprovenSize = size;
    return "restart";
  }

  /** Asks for what comes after the bytes that are here: nothing, something, or an answer that does not tell. */
  async probe(link: string): Promise<"end" | "more" | "unknown"> {
    const size = await this.size();
    if (size === 0 || this.#isEncoded) return "unknown";
    const response = await this.#open(link, size).catch(() => undefined);
    response?.body.destroy();
    if (response?.status === 416 && (response.totalBytes ?? size) === size) return "end";
    return response?.status === 206 ? "more" : "unknown";
  }

  async #read(position: number, length: number): Promise<Buffer> {
    const file = await open(this.#part, "r");
    try {
      return (await file.read(Buffer.alloc(length), 0, length, position)).buffer;
    } finally {
      await file.close();
    }
  }

  #setEtag(etag: string | null): void {
    this.#etag = etag;
    this.#options.onEtag(etag);
  }
}

/**
 * Pipes a body into a file, less a beginning that is known already. What came before a break is written.
 * @returns whether the body began with what is known; if not, nothing was written
 */
async function pipeWithoutPrefix(
  body: Readable,
  known: Buffer,
  write: () => NodeJS.WritableStream,
  { onBytes, signal }: Pick<DownloadFileOptions, "onBytes" | "signal">,
): Promise<boolean> {
  let checked = 0;
  let isSame = true;
  const skip = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const expected = known.subarray(checked, checked + chunk.length);
      isSame &&= chunk.subarray(0, expected.length).equals(expected);
      checked += expected.length;
      if (!isSame) return done(new Error("another file"));
      const fresh = chunk.subarray(expected.length);
      onBytes(fresh.length);
      done(null, fresh);
    },
  });
  // A pipeline would end at once where the body breaks, with what it holds unwritten.
  const broken = finished(body, { writable: false }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  void broken.then(() => skip.end());
  body.pipe(skip, { end: false });
  try {
    await pipeline(skip, write(), { signal });
  } catch (error) {
    if (!isSame) return false;
    throw error;
  } finally {
    body.destroy();
  }
  const breakage = await broken;
  if (breakage) throw breakage.error;
  return true;
}

/** Repeated attempts at a download brought nothing more. */
export class DownloadFailedError extends VenueError {
  override readonly name = "DownloadFailedError";
  readonly code = "DOWNLOAD_FAILED";
  readonly category = "service";

  constructor(path: string, options?: ErrorOptions) {
    const reason = options?.cause instanceof Error ? `: ${options.cause.message}` : ".";
    super(
      `The download of ${path} does not get on${reason} What has come is kept: run the same command again, and it goes on from there.`,
      options,
    );
  }
}
