import type { DuckDb } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { type LandingLine, LineCursor } from "../lines/line-cursor.ts";
import type { HistoryLineRules, RejectReason } from "./history-line.ts";
import { judgeLine } from "./history-line.ts";
import type { PiecePlace } from "./pieces/copy-pieces.ts";
import { PieceReader } from "./pieces/piece-reader.ts";

/** A piece in which lines are looked up. */
export interface JudgedPiece extends PiecePlace {
  /** The landing that the piece belongs to. */
  landing: HistoryLineRules;
}

interface WantedLine {
  /** Of the row that DuckDB made of it. */
  lineRow: number;
  /** Of its piece. */
  place: number;
  /** Among the lines of its piece that are not blank, from 1. */
  ordinal: number;
}

interface RejectRow {
  place: number;
  line_number: number;
  reason: RejectReason;
  line: string;
  ahead_at: string | null;
}

const pageLines = 20_000;
const rejectCharacters = 1000;

export interface JudgeOptions {
  /** Each line stands for others like it, so a line that is no record is skipped, not rejected. @default false */
  isSample?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Judges the lines in `wanted_line` in JavaScript: a bad line can make DuckDB refuse the good line after it, and rows
 * hold no names. Records go to `judged_line`, written anew, all else to `reject`.
 * @throws {LandingUnreadableError}
 */
export async function judgeLines(
  warehouse: DuckDb,
  pieces: readonly JudgedPiece[],
  { isSample = false, signal }: JudgeOptions,
): Promise<void> {
  const reader = new PieceReader();
  try {
    for (let page = await listWanted(warehouse, -1); page.length > 0; ) {
      signal?.throwIfAborted();
      const judged: { line_row: number; line: string }[] = [];
      const rejects: RejectRow[] = [];
      for (const wanted of groupByPlace(page)) {
        const [{ place }] = wanted;
        const piece = pieces[place];
        if (!piece) throw new Error(`lines are looked for in a piece ${place} that there is not`);
        await findLines(reader, piece, wanted, (lineRow, line) => {
          const judgement = judgeLine(line, piece.landing);
          if ("mended" in judgement) judged.push({ line_row: lineRow, line: judgement.mended });
          else if (!isSample) rejects.push(toReject(place, line, judgement));
        });
      }
      await store(warehouse, "take_judged", judged);
      await store(warehouse, "take_rejects", rejects);
      page = await listWanted(warehouse, page.at(-1)?.lineRow ?? 0);
    }
  } finally {
    await reader.close();
  }
}

async function listWanted(warehouse: DuckDb, behindRow: number): Promise<WantedLine[]> {
  return await warehouse.all(readSql("load/history/list_wanted.sql"), [behindRow, pageLines]);
}

function groupByPlace(page: readonly WantedLine[]): [WantedLine, ...WantedLine[]][] {
  const groups: [WantedLine, ...WantedLine[]][] = [];
  for (const wanted of page) {
    const last = groups.at(-1);
    if (last?.[0].place === wanted.place) last.push(wanted);
    else groups.push([wanted]);
  }
  return groups;
}

/** Passes the wanted lines of one piece on, in their order. */
async function findLines(
  reader: PieceReader,
  piece: JudgedPiece,
  wanted: readonly WantedLine[],
  onLine: (lineRow: number, line: LandingLine) => void,
): Promise<void> {
  const cursor = new LineCursor();
  let [ordinal, index] = [0, 0];
  const take = () => {
    if (cursor.isBlank) return;
    ordinal += 1;
    const next = wanted[index];
    if (next?.ordinal !== ordinal) return;
    index += 1;
    onLine(next.lineRow, cursor.line);
  };
  for await (const chunk of reader.read(piece)) {
    cursor.begin(chunk);
    while (index < wanted.length && cursor.next()) take();
    if (index === wanted.length) return;
  }
  if (cursor.finish()) take();
  if (index < wanted.length) throw new Error(`${piece.path} has fewer lines than DuckDB saw in it`);
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
