import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import type { LineMark } from "./count-lines.ts";
import { type HistoryLineRules, judgeLine, type RejectReason } from "./history-line.ts";
import { readChunks } from "./landing-chunks.ts";
import { type LandingLine, LineCursor } from "./line-cursor.ts";

/** What became of refused lines. */
export interface JudgedLines {
  mended: number;
  rejected: number;
  /** Turned out to be blank: a byte order mark alone. */
  markOnly: number;
}

export interface LookOptions extends HistoryLineRules {
  path: string;
  signal?: AbortSignal | undefined;
}

const pageSize = 20_000;
/** Less than this is read rather than jumped over. */
const worthReadingBytes = 512 * 1024;
const rejectCharacters = 1000;

/**
 * Looks at the lines in `wanted_line`. Refused ones, which DuckDB could not take or took in a way that the contract
 * does not, are judged once more: one bad line can make DuckDB refuse the next, good one. Good ones go to `mended`,
 * bad ones to `core.reject`. Others go to `picked_line` as they are.
 * @param marks places in the file from where to read
 * @throws {LandingUnreadableError}
 */
export async function lookAtLines(
  warehouse: DuckDb,
  { path, signal, ...rules }: LookOptions,
  marks: readonly LineMark[],
): Promise<JudgedLines> {
  const look = new LineLook(warehouse, rules);
  await look.takeNextPage();
  while (look.next !== undefined) {
    signal?.throwIfAborted();
    const passed = await passLines(path, findMark(marks, look.next), marks, look);
    if (passed === "end" && look.next !== undefined) {
      throw new Error(`${path} has fewer lines than DuckDB saw in it`);
    }
  }
  return look.judged;
}

/** The last mark before the line of that ordinal. */
function findMark(marks: readonly LineMark[], ordinal: number): LineMark {
  let [low, high] = [0, marks.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.ordinal ?? 0) < ordinal) low = middle;
    else high = middle;
  }
  return marks[low] ?? { lines: 0, ordinal: 0, at: 0 };
}

/** Lets the lines from a mark on pass, to the end or to where the next wanted one is better jumped to. */
async function passLines(
  path: string,
  mark: LineMark,
  marks: readonly LineMark[],
  look: LineLook,
): Promise<"end" | "jump"> {
  const cursor = new LineCursor(mark.lines, mark.at);
  look.goTo(mark.ordinal);
  for await (const chunk of readChunks(path, { from: mark.at, chunkBytes: worthReadingBytes })) {
    cursor.begin(chunk);
    while (cursor.next()) if (look.pass(cursor)) await look.takeNextPage();
    if (look.next === undefined) return "jump";
    if (findMark(marks, look.next).at > cursor.nextAt + worthReadingBytes) return "jump";
  }
  if (cursor.finish() && look.pass(cursor)) await look.takeNextPage();
  return "end";
}

interface WantedLine {
  /** Place among the lines that are not blank, from 1. */
  ordinal: number;
  isRefused: boolean;
  isPicked: boolean;
}

/** Takes wanted lines out of those that pass, a page at a time. */
class LineLook {
  readonly judged: JudgedLines = { mended: 0, rejected: 0, markOnly: 0 };
  readonly #warehouse: DuckDb;
  readonly #rules: HistoryLineRules;
  #ordinal = 0;
  #page: WantedLine[] = [];
  #pageIndex = 0;
  #picked: { ordinal: number; line: string }[] = [];
  #mended: { line_number: number; line: string }[] = [];
  #rejects: { line_number: number; reason: RejectReason; line: string }[] = [];

  constructor(warehouse: DuckDb, rules: HistoryLineRules) {
    this.#warehouse = warehouse;
    this.#rules = rules;
  }

  /** The next wanted line; `undefined` when all have passed. */
  get next(): number | undefined {
    return this.#page[this.#pageIndex]?.ordinal;
  }

  /** Lines pass from behind this one on. */
  goTo(ordinal: number): void {
    this.#ordinal = ordinal;
  }

  /** Takes the line if it is wanted; true when it was the last of its page. */
  pass(cursor: LineCursor): boolean {
    if (cursor.isBlank) return false;
    this.#ordinal += 1;
    const wanted = this.#page[this.#pageIndex];
    if (wanted?.ordinal !== this.#ordinal) return false;
    const { line } = cursor;
    if (wanted.isPicked) this.#picked.push({ ordinal: wanted.ordinal, line: line.bytes.toString("utf8") });
    if (wanted.isRefused) this.#judge(line);
    this.#pageIndex += 1;
    return this.#pageIndex === this.#page.length;
  }

  /** Stores what came of the page before. */
  async takeNextPage(): Promise<void> {
    await this.#store("load/insert_picked.sql", this.#picked.splice(0));
    await this.#store("load/insert_mended_lines.sql", this.#mended.splice(0));
    await this.#store("load/insert_rejects.sql", this.#rejects.splice(0));
    const reached = this.#page.at(-1)?.ordinal ?? 0;
    this.#page = await this.#warehouse.all<WantedLine & Record<string, never>>(
      readSql("load/find_wanted.sql"),
      [reached, pageSize],
    );
    this.#pageIndex = 0;
  }

  #judge(line: LandingLine): void {
    const { lineNumber } = line;
    const judged = judgeLine(line, this.#rules);
    if ("mended" in judged) {
      this.judged.mended += 1;
      this.#mended.push({ line_number: lineNumber, line: judged.mended });
    } else if ("isBlank" in judged) {
      this.judged.markOnly += 1;
    } else {
      this.judged.rejected += 1;
      this.#rejects.push({ line_number: lineNumber, reason: judged.reason, line: shown(line) });
    }
  }

  async #store(file: string, rows: readonly unknown[]): Promise<void> {
    if (rows.length > 0) await this.#warehouse.run(readSql(file), [JSON.stringify(rows)]);
  }
}

/** The line's first characters, without a carriage return at its end; bytes that are no text as U+FFFD. */
function shown({ bytes }: LandingLine): string {
  const text = bytes.toString("utf8").replace(/\r$/, "");
  const characters = text.length <= rejectCharacters ? text : [...text].slice(0, rejectCharacters).join("");
  // DuckDB's text ends at no NUL, but much that reads it does.
  return characters.replaceAll("\0", "\uFFFD");
}
