import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { type HistoryLineRules, judgeLine, type RejectReason } from "./history-line.ts";
import { readChunks } from "./landing-chunks.ts";
import { type LandingLine, LineCursor } from "./line-cursor.ts";

/** What JavaScript saw of a landing. */
export interface LineLook {
  lines: number;
  /** Nothing but white space. */
  blank: number;
  /** A line is longer than can be left to DuckDB. */
  hasLongLine: boolean;
  /** Of the refused lines. */
  mended: number;
  rejected: number;
  /** Of the refused lines: a byte order mark alone. */
  markOnly: number;
}

export interface LookOptions extends HistoryLineRules {
  path: string;
  /** DuckDB reads a copy, without what its reader can't pass. */
  isCopy: boolean;
  signal?: AbortSignal | undefined;
}

const pageSize = 20_000;
const rejectCharacters = 1000;

/** Counts the lines of a landing. @throws {LandingUnreadableError} */
export async function countLines({ path, signal }: LookOptions): Promise<LineLook> {
  return await passLines(path, signal, new LineCounter());
}

/**
 * Counts the lines of a landing, and looks at those in `wanted_line`. Refused ones, which DuckDB could not take or
 * took in a way that the contract does not, are judged once more: one bad line can make DuckDB refuse the next, good
 * one. Good ones go to `mended`, bad ones to `core.reject`. Others go to `picked_line` as they are.
 * @throws {LandingUnreadableError}
 */
export async function lookAtLines(
  warehouse: DuckDb,
  { path, signal, ...rules }: LookOptions,
): Promise<LineLook> {
  const judge = new LineJudge(warehouse, rules);
  await judge.takeNextPage();
  const look = await passLines(path, signal, judge);
  if (!judge.isDone) throw new Error(`${path} has fewer lines than DuckDB saw in it`);
  return look;
}

async function passLines(
  path: string,
  signal: AbortSignal | undefined,
  counter: LineCounter,
): Promise<LineLook> {
  const cursor = new LineCursor();
  for await (const chunk of readChunks(path)) {
    signal?.throwIfAborted();
    cursor.begin(chunk);
    while (cursor.next()) if (counter.pass(cursor)) await counter.takeNextPage();
  }
  if (cursor.finish() && counter.pass(cursor)) await counter.takeNextPage();
  return counter.look;
}

class LineCounter {
  readonly look: LineLook = { lines: 0, blank: 0, hasLongLine: false, mended: 0, rejected: 0, markOnly: 0 };

  /** Takes note of a line; true when a page of wanted lines is full. */
  pass(cursor: LineCursor): boolean {
    this.look.lines += 1;
    if (cursor.isTooLong) this.look.hasLongLine = true;
    if (cursor.isBlank) this.look.blank += 1;
    return false;
  }

  async takeNextPage(): Promise<void> {}
}

interface WantedLine {
  ordinal: number;
  isRefused: boolean;
  isPicked: boolean;
}

/** Looks at wanted lines, a page at a time, while all lines pass by. */
class LineJudge extends LineCounter {
  readonly #warehouse: DuckDb;
  readonly #rules: HistoryLineRules;
  #page: WantedLine[] = [];
  #pageIndex = 0;
  #picked: { ordinal: number; line: string }[] = [];
  #mended: { line_number: number; line: string }[] = [];
  #rejects: { line_number: number; reason: RejectReason; line: string }[] = [];

  constructor(warehouse: DuckDb, rules: HistoryLineRules) {
    super();
    this.#warehouse = warehouse;
    this.#rules = rules;
  }

  /** All wanted lines have passed. */
  get isDone(): boolean {
    return this.#page.length === 0;
  }

  override pass(cursor: LineCursor): boolean {
    super.pass(cursor);
    const wanted = this.#page[this.#pageIndex];
    if (!wanted || this.look.lines - this.look.blank !== wanted.ordinal || cursor.isBlank) return false;
    const { line } = cursor;
    if (wanted.isPicked) this.#picked.push({ ordinal: wanted.ordinal, line: line.bytes.toString("utf8") });
    if (wanted.isRefused) this.#judge(line);
    this.#pageIndex += 1;
    return this.#pageIndex === this.#page.length;
  }

  /** Stores what came of the page before. */
  override async takeNextPage(): Promise<void> {
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
      this.look.mended += 1;
      this.#mended.push({ line_number: lineNumber, line: judged.mended });
    } else if ("isBlank" in judged) {
      this.look.markOnly += 1;
    } else {
      this.look.rejected += 1;
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
