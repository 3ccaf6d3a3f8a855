import { open } from "node:fs/promises";
import type { Download, Downloads } from "../../api/download.ts";
import { WrongPartError } from "../../api/errors.ts";
import { isGzip, unpackGzip } from "../../util/files/file-content.ts";
import { VenueError } from "../../util/venue-error.ts";
import { EndEvidence, lastLine, PartFile } from "./part-file.ts";

/** Bytes that are read again where a part is asked for, to see that it is still the same file. */
const overlapBytes = 4096;
/** Parts that begin otherwise than they should: one is another file by now, more are a server that can't count. */
const differenceLimit = 2;

export interface PartialDownloadOptions {
  downloads: Downloads;
  /** Where the whole file goes; `path + ".part"` holds what has come so far, across runs. */
  path: string;
  /** Strong entity tag of the file whose beginning the part holds. */
  etag: string | null;
  /** Told when the server names another one. */
  onEtag(etag: string | null): void;
  onBytes(count: number): void;
  signal: AbortSignal;
}

/**
 * A file that comes in several attempts. Each either asks for what is missing, or, once it looks whole, for proof that
 * nothing is: that the server has no byte after its end (asked by Range), or else that answers agree on its length.
 */
export class PartialDownload {
  readonly #options: PartialDownloadOptions;
  readonly #part: PartFile;
  readonly #evidence = new EndEvidence();
  #etag: string | null;
  /** All there is may be here: the next attempt asks whether it is. */
  #isAtEnd = false;
  /** The server compresses whatever is asked: nothing can be resumed, and the end of the stream proves itself. */
  #isEncoded = false;
  /** The server answers a Range with something else: everything is asked for anew. */
  #isRangeBroken = false;
  /** Something has come: that there is nothing is not to be believed any more. */
  #hasContent = false;
  /** Something was announced: that there is nothing takes answers that announce just that. */
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

  /** How often an answer was taken that holds the file from its start. */
  get beginnings(): number {
    return this.#beginnings;
  }

  /**
   * @param isRangeAllowed without it, the file is asked for from its start
   * @returns whether the file is proven whole
   */
  async attempt(link: string, isRangeAllowed: boolean): Promise<boolean> {
    this.#hasContent ||= (await this.#part.contentBytes()) > 0;
    const isRanged = isRangeAllowed && !this.#isEncoded && !this.#isRangeBroken;
    return this.#isAtEnd ? await this.#checkEnd(link, isRanged) : await this.#goOn(link, isRanged);
  }

  /** Nothing more comes, though the server has announced more: it may have announced too much. */
  suspectEnd(): void {
    this.#isAtEnd = true;
  }

  /**
   * Puts the whole file in its place; one that is gzip itself becomes what is in it.
   * @returns its size in bytes
   * @throws {WrongContentError} when it is damaged or no history; it is thrown away
   */
  async finish(): Promise<number> {
    const problem = await this.#findProblem();
    if (problem !== undefined) {
      await this.#restart();
      throw new WrongContentError(problem);
    }
    const size = await this.size();
    await this.#part.moveTo(this.#options.path);
    return size;
  }

  async #goOn(link: string, isRanged: boolean): Promise<boolean> {
    const size = isRanged ? await this.size() : 0;
    const overlap = Math.min(size, overlapBytes);
    const response = await this.#open(link, size - overlap);
    if (response.status === 416) {
      response.body.destroy();
      // It says that the file ends before what is here: either it is another one, or the server says so of any part.
      if (response.totalBytes !== undefined && response.totalBytes < size) await this.#restart();
      else this.#isRangeBroken = true;
      return false;
    }
    if (response.offset === 0) return await this.#receiveAnew(response);
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
    if (response.offset === 0 && response.totalBytes !== size) return await this.#receiveAnew(response);
    response.body.destroy();
    if (response.offset === 0) return await this.#takeEvidence(true);
    // Some say it with an empty part.
    if (response.totalBytes === size) return true;
    if (response.status === 206) {
      this.#evidence.clear();
      this.#isAtEnd = false;
      return false;
    }
    // That nothing is here without saying where the end is, may be said of any part.
    if (this.#evidence.isEmpty) this.#isAtEnd = false;
    else this.#isRangeBroken = true;
    return false;
  }

  async #receiveAnew(response: Download): Promise<boolean> {
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
    // A compressed stream ends with a checksum: when it ends without an error, it is whole.
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
      if (error instanceof WrongPartError) this.#isRangeBroken = true;
      throw error;
    }
  }

  async #findProblem(): Promise<string | undefined> {
    const { path } = this.#part;
    if (await isGzip(path)) {
      if (!(await unpackGzip(path, this.#options.signal))) return "it is a damaged gzip file.";
    }
    const wrong = await findWrongContent(path);
    return wrong === undefined ? undefined : `it holds no history, but begins with “${wrong}”.`;
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
 * What a file begins with that holds something else than history: an error page that is sent as a file, say.
 * Lines may be broken, as long as one of them looks like history; so may a file be empty.
 */
async function findWrongContent(path: string): Promise<string | undefined> {
  const head = await beginningOf(path);
  if (head.trim() === "") return undefined;
  if (head.split("\n").some(isLikeHistory) || isLikeHistory((await lastLine(path)) ?? "")) return undefined;
  return head
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, longestShown);
}

function isLikeHistory(line: string): boolean {
  return line.trimStart().startsWith("{") && line.includes('"zone_id"');
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A download came to its end, but is no history. */
class WrongContentError extends VenueError {
  override readonly name = "WrongContentError";
  readonly code = "WRONG_CONTENT";
  readonly category = "service";
}
