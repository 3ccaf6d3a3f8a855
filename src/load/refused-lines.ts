import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { type HistoryLineRules, judgeLine, type RejectReason } from "./history-line.ts";
import { readChunks } from "./landing-chunks.ts";
import { type LandingLine, LineCursor } from "./line-cursor.ts";

/** What became of the lines that DuckDB could not take. */
export interface RefusedLines {
  mended: number;
  rejected: number;
  /** Turned out to be blank: a byte order mark alone. */
  blank: number;
}

export interface RefusedLinesOptions extends HistoryLineRules {
  path: string;
  signal?: AbortSignal | undefined;
}

const pageSize = 20_000;
const rejectCharacters = 1000;

/**
 * Reads the lines that DuckDB refused, or took in a way that the contract does not, once more in JavaScript: one bad
 * line can make DuckDB refuse the next, good one. Good ones go to `mended`, the others to `core.reject`.
 */
export async function judgeRefusedLines(
  warehouse: DuckDb,
  { path, signal, ...rules }: RefusedLinesOptions,
): Promise<RefusedLines> {
  const judge = new RefusedLinesJudge(warehouse, rules);
  const cursor = new LineCursor();
  await judge.takeNextPage();
  for await (const chunk of readChunks(path)) {
    signal?.throwIfAborted();
    cursor.begin(chunk);
    while (cursor.next()) {
      if (judge.pass(cursor)) await judge.takeNextPage();
    }
    if (judge.isDone) return judge.result;
  }
  if (cursor.finish() && judge.pass(cursor)) await judge.takeNextPage();
  if (!judge.isDone) throw new Error(`${path} has fewer lines than DuckDB saw in it`);
  return judge.result;
}

/** Judges refused lines a page at a time, while all lines pass by. */
class RefusedLinesJudge {
  readonly result: RefusedLines = { mended: 0, rejected: 0, blank: 0 };
  readonly #warehouse: DuckDb;
  readonly #rules: HistoryLineRules;
  /** Refused lines, as their place among the lines that are not blank, from 1. */
  #page: number[] = [];
  #pageIndex = 0;
  #ordinal = 0;
  #mended: { line_number: number; line: string }[] = [];
  #rejects: { line_number: number; reason: RejectReason; line: string }[] = [];

  constructor(warehouse: DuckDb, rules: HistoryLineRules) {
    this.#warehouse = warehouse;
    this.#rules = rules;
  }

  /** All refused lines have passed. */
  get isDone(): boolean {
    return this.#page.length === 0;
  }

  /** Takes the line if it is the next refused one; true when it was the last of the page. */
  pass(cursor: LineCursor): boolean {
    if (cursor.isBlank) return false;
    this.#ordinal += 1;
    if (this.#ordinal !== this.#page[this.#pageIndex]) return false;
    this.#judge(cursor.line);
    this.#pageIndex += 1;
    return this.#pageIndex === this.#page.length;
  }

  /** Stores what was judged of this page. */
  async takeNextPage(): Promise<void> {
    if (this.#mended.length > 0) await this.#store("load/insert_mended.sql", this.#mended);
    if (this.#rejects.length > 0) await this.#store("load/insert_rejects.sql", this.#rejects);
    this.#mended = [];
    this.#rejects = [];
    const rows = await this.#warehouse.all<{ ordinal: number }>(readSql("load/find_refused.sql"), [
      this.#ordinal,
      pageSize,
    ]);
    this.#page = rows.map(({ ordinal }) => ordinal);
    this.#pageIndex = 0;
  }

  #judge(line: LandingLine): void {
    const { lineNumber } = line;
    const judged = judgeLine(line, this.#rules);
    if ("mended" in judged) {
      this.result.mended += 1;
      this.#mended.push({ line_number: lineNumber, line: judged.mended });
    } else if ("isBlank" in judged) {
      this.result.blank += 1;
    } else {
      this.result.rejected += 1;
      this.#rejects.push({ line_number: lineNumber, reason: judged.reason, line: shown(line) });
    }
  }

  async #store(file: string, rows: readonly unknown[]): Promise<void> {
    await this.#warehouse.run(readSql(file), [JSON.stringify(rows)]);
  }
}

/** The line's first characters, without a carriage return at its end; bytes that are no text as U+FFFD. */
function shown({ bytes }: LandingLine): string {
  const text = bytes.toString("utf8").replace(/\r$/, "");
  const characters = text.length <= rejectCharacters ? text : [...text].slice(0, rejectCharacters).join("");
  // DuckDB's text ends at no NUL, but much that reads it does.
  return characters.replaceAll("\0", "\uFFFD");
}
