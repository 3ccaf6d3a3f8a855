import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { readSql } from "../../util/files/package-files.ts";
import type { LandingLine } from "../lines/line-cursor.ts";
import { judgeLine } from "./line-rules.ts";
import type { PlacedPiece } from "./pieces/take-pieces.ts";
import { readWantedLines } from "./wanted-lines.ts";

const rejectCharacters = 1000;

/**
 * Judges the lines in `wanted_line` in JavaScript: a bad line can make DuckDB refuse the good line after it. Records go to
 * `judged_line`, written anew, all else to `reject`.
 * @throws {LandingUnreadableError}
 */
export async function judgeLines(
  warehouse: DuckDb,
  pieces: readonly PlacedPiece[],
  signal?: AbortSignal,
): Promise<void> {
  let judged: object[] = [];
  let rejects: object[] = [];
  await readWantedLines(warehouse, pieces, {
    signal,
    onLine: (line, { lineRow, pieceId }, { landing }) => {
      const judgement = judgeLine(line, landing);
      if ("mended" in judgement) {
        judged.push({ line_row: lineRow, line: judgement.mended });
        return;
      }
      const { reason, aheadAt } = judgement;
      const ahead_at = aheadAt ? sqlTimestamp(aheadAt) : null;
      rejects.push({ piece_id: pieceId, line_number: line.lineNumber, reason, line: shown(line), ahead_at });
    },
    onPage: async () => {
      await store(warehouse, "take_judged", judged);
      await store(warehouse, "take_rejects", rejects);
      judged = [];
      rejects = [];
    },
  });
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
