import { open } from "node:fs/promises";
import type { Download, Downloads } from "../../api/download.ts";
import { RangeMismatchError } from "../../api/errors.ts";
import { isGzip, unpackGzip } from "../../util/files/file-content.ts";
import { VenueError } from "../../util/venue-error.ts";
import { EndEvidence, lastLine, PartFile } from "./part-file.ts";

/** Number of received bytes that a resumed download requests again, to check that the file is unchanged. */
const overlapBytes = 4096;
/**
 * If a resumed part begins with unexpected bytes once, the file has changed. After this many times, the
 * server's offsets are wrong.
 */
const differenceLimit = 2;

export interface PartialDownloadOptions {
  downloads: Downloads;
  /** Path of the complete file. Until then, the received bytes are in `path + ".part"`, even across runs. */
  path: string;
  /** Strong entity tag of the file from which the part was received. */
  etag: string | null;
  /** Called when the server sends another tag. */
  onEtag(etag: string | null): void;
  onBytes(count: number): void;
  signal: AbortSignal;
}

/**
 * Downloads a file in several attempts. Each attempt requests missing bytes. Once the file looks complete,
 * attempts request proof instead: a Range response without further bytes, or several responses that agree on
 * the length.
 */
export class PartialDownload {
  readonly #options: PartialDownloadOptions;
  readonly #part: PartFile;
  readonly #evidence = new EndEvidence();
  #etag: string | null;
  /** True if the file may be complete. The next attempt then requests proof. */
  #isAtEnd = false;
  /**
   * True if the server compresses its responses. Then a download cannot be resumed, and the checksum proves
   * the end.
   */
  #isEncoded = false;
  /** True if the server's responses to Range requests are wrong. The whole file must then be requested. */
  #isRangeBroken = false;
  /** True if content has been received. A later empty response must then be wrong. */
  #hasContent = false;
  /**
   * True if the server ever announced content. Then only announced lengths of 0 can prove that the file is
   * empty.
   */
  #isAnnounced = false;
  #differences = 0;
  #beginnings = 0;

  constructor(options: PartialDownloadOptions) {
    this.#options = options;
    this.#part = new PartFile(`${options.path}.part`);
    this.#etag = options.etag;
  }

  async size(): Promise<number> {
    return await this.#part.size();
  }

  /** Number of responses that began at the first byte. */
  get beginnings(): number {
    return this.#beginnings;
  }

  /**
   * @param isRangeAllowed if false, the file is requested from its first byte
   * @returns true if the file is proven to be complete
   */
  async attempt(link: string, isRangeAllowed: boolean): Promise<boolean> {
    this.#hasContent ||= (await this.#part.contentBytes()) > 0;
    const isRanged = isRangeAllowed && !this.#isEncoded && !this.#isRangeBroken;
    return this.#isAtEnd ? await this.#checkEnd(link, isRanged) : await this.#resume(link, isRanged);
  }

  /**
   * Assumes that the file is complete. Called when no more bytes arrive, because the announced length may be
   * wrong.
   */
  suspectEnd(): void {
    this.#isAtEnd = true;
  }

  /**
   * Decompresses the complete file if it is gzipped, and moves it to its path.
   * @returns its size in bytes
   * @throws {VenueError} `WRONG_CONTENT` if the file is damaged or is not history; the file is then removed
   */
  async finish(): Promise<number> {
    const problem = await this.#findProblem();
    if (problem !== undefined) {
      await this.#restart();
      throw wrongContentError(problem);
    }
    const size = await this.size();
    await this.#part.moveTo(this.#options.path);
    return size;
  }

  async #resume(link: string, isRanged: boolean): Promise<boolean> {
    const size = isRanged ? await this.size() : 0;
    const overlap = Math.min(size, overlapBytes);
    const response = await this.#open(link, size - overlap);
    if (response.status === 416) {
      response.body.destroy();
      // Either the file changed and is now shorter than the received bytes, or the server sends 416 for every
      // Range.
      if (response.totalBytes !== undefined && response.totalBytes < size) await this.#restart();
      else this.#isRangeBroken = true;
      return false;
    }
    if (response.offset === 0) return await this.#receiveFromStart(response);
    if (this.#etag !== null && response.etag !== null && response.etag !== this.#etag) {
      response.body.destroy();
      await this.#restart();
      return false;
    }
    return await this.#receive(response, overlap);
  }

  async #checkEnd(link: string, isRanged: boolean): Promise<boolean> {
    const size = await this.size();
    const response = await this.#open(link, isRanged ? size : 0);
    if (response.offset === 0 && response.totalBytes !== size) return await this.#receiveFromStart(response);
    response.body.destroy();
    if (response.offset === 0) return await this.#takeEvidence(true);
    // Some servers respond to a Range at the end of the file with an empty part, which proves the end.
    if (response.totalBytes === size) return true;
    if (response.status === 206) {
      this.#evidence.clear();
      this.#isAtEnd = false;
      return false;
    }
    // A 416 without a length proves nothing, because the server may send it for any Range.
    if (this.#evidence.isEmpty) this.#isAtEnd = false;
    else this.#isRangeBroken = true;
    return false;
  }

  async #receiveFromStart(response: Download): Promise<boolean> {
    if (response.totalBytes === 0 && (await this.size()) > 0) {
      response.body.destroy();
      return false;
    }
    this.#beginnings += 1;
    await this.#part.clear();
    this.#setEtag(response.etag);
    this.#isEncoded = response.isEncoded;
    return await this.#receive(response, 0);
  }

  async #receive(response: Download, overlap: number): Promise<boolean> {
    this.#isAtEnd = false;
    const appended = await this.#part.append(response.body, overlap, this.#options);
    if (appended === "different") {
      this.#differences += 1;
      this.#isRangeBroken ||= this.#differences >= differenceLimit;
      await this.#restart();
    }
    if (appended !== "appended") return false;
    // A compressed stream ends with a checksum, so a stream that ends without an error is complete.
    if (response.isEncoded && (await this.#part.contentBytes()) > 0) return true;
    const size = await this.size();
    if (response.totalBytes !== undefined && size < response.totalBytes) return false;
    return await this.#takeEvidence(response.totalBytes === size);
  }

  async #takeEvidence(isStated: boolean): Promise<boolean> {
    const size = await this.#part.contentBytes();
    if (size === 0 && (this.#hasContent || (this.#isAnnounced && !isStated))) return false;
    this.#isAtEnd = true;
    this.#evidence.add(size, isStated);
    return await this.#evidence.isEnough(this.#part.path);
  }

  async #open(link: string, offset: number): Promise<Download> {
    const { downloads, signal } = this.#options;
    const ifRange = this.#etag;
    try {
      const etag = ifRange === null ? {} : { ifRange };
      const download = await downloads.open({ url: link, offset, ...etag, signal });
      this.#isAnnounced ||= (download.totalBytes ?? 0) > 0;
      return download;
    } catch (error) {
      if (error instanceof RangeMismatchError) this.#isRangeBroken = true;
      throw error;
    }
  }

  async #findProblem(): Promise<string | undefined> {
    const { path } = this.#part;
    if (await isGzip(path)) {
      if (!(await unpackGzip(path, this.#options.signal))) return "it is a damaged gzip file.";
    }
    const wrong = await findWrongContent(path);
    return wrong === undefined ? undefined : `it is not a history: it begins with “${wrong}”.`;
  }

  async #restart(): Promise<void> {
    await this.#part.clear();
    this.#setEtag(null);
    this.#evidence.clear();
    this.#isAtEnd = false;
  }

  #setEtag(etag: string | null): void {
    this.#etag = etag;
    this.#options.onEtag(etag);
  }
}

const headBytes = 1024 * 1024;
const longestShown = 30;

/**
 * Returns the beginning of a file that is not history, such as an error page. Returns `undefined` for history,
 * which may be empty, and may contain broken lines if at least one line looks like history.
 */
async function findWrongContent(path: string): Promise<string | undefined> {
  const head = await readBeginning(path);
  if (head.trim() === "") return undefined;
  if (head.split("\n").some(looksLikeHistory) || looksLikeHistory((await lastLine(path)) ?? ""))
    return undefined;
  return head
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, longestShown);
}

function looksLikeHistory(line: string): boolean {
  return line.trimStart().startsWith("{") && line.includes('"zone_id"');
}

async function readBeginning(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Thrown if a complete download is damaged or is not history. */
function wrongContentError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("WRONG_CONTENT", "service", message, options);
}
