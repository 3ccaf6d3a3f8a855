import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { readSql } from "../../util/files/sql-file.ts";
import type { LandingLine } from "../lines/line-cursor.ts";
import type { HistoryLineRules, RejectReason } from "./line-rules.ts";
import { judgeLine } from "./line-rules.ts";
import type { PiecePlace } from "./pieces/copy-pieces.ts";
import { readWantedLines } from "./wanted-lines.ts";

/** A piece in which lines are looked up. */
export interface JudgedPiece extends PiecePlace {
  /** The landing that the piece belongs to. */
  landing: HistoryLineRules;
}

interface RejectRow {
  place: number;
  line_number: number;
  reason: RejectReason;
  line: string;
  ahead_at: string | null;
}

const rejectCharacters = 1000;

/**
 * Judges the lines in `wanted_line` in JavaScript: a bad line can make DuckDB refuse the good line after it. Records go to
 * `judged_line`, written anew, all else to `reject`.
 * @throws {LandingUnreadableError}
 */
export async function judgeLines(
  warehouse: DuckDb,
  pieces: readonly JudgedPiece[],
  signal?: AbortSignal,
): Promise<void> {
  let judged: { line_row: number; line: string }[] = [];
  let rejects: RejectRow[] = [];
  await readWantedLines(warehouse, pieces, {
    signal,
    onLine: ({ lineRow, place, piece, line }) => {
      const judgement = judgeLine(line, piece.landing);
      if ("mended" in judgement) judged.push({ line_row: lineRow, line: judgement.mended });
      else rejects.push(toReject(place, line, judgement));
    },
    onPage: async () => {
      await store(warehouse, "take_judged", judged);
      await store(warehouse, "take_rejects", rejects);
      judged = [];
      rejects = [];
    },
  });
}

function toReject(
  place: number,
  line: LandingLine,
  { reason, aheadAt }: { reason: RejectReason; aheadAt?: Date },
): RejectRow {
  return {
    place,
    line_number: line.lineNumber,
    reason,
    line: shown(line),
    ahead_at: aheadAt ? sqlTimestamp(aheadAt) : null,
  };
}

async function store(warehouse: DuckDb, step: string, rows: readonly unknown[]): Promise<void> {
  if (rows.length > 0) await warehouse.run(readSql(`load/history/${step}.sql`), [JSON.stringify(rows)]);
}

/** The line's first characters, without a carriage return at its end; bytes that are no text as U+FFFD. */
function shown({ bytes }: LandingLine): string {
  const text = bytes.toString("utf8").replace(/\r$/, "");
  const characters = text.length <= rejectCharacters ? text : [...text].slice(0, rejectCharacters).join("");
  // DuckDB's text ends at no NUL, but much that reads it does.
  return characters.replaceAll("\0", "\uFFFD");
}
