import { setImmediate } from "node:timers/promises";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { type LandingLine, LineCursor } from "../lines/line-cursor.ts";
import { PieceReader } from "./pieces/copy-pieces.ts";
import type { PlacedPiece } from "./pieces/take-pieces.ts";

/** A line that is looked up in the landing. */
interface WantedLine {
  /** Of the row that DuckDB made of it. */
  lineRow: number;
  /** Of its piece. */
  place: number;
  /** Of its piece, in the ledger. */
  pieceId: number;
  /** Among the lines of its piece that are not blank, from 1. */
  ordinal: number;
}

export interface ReadWantedOptions {
  /** Called with each line, in their order; it is valid until the next one. */
  onLine: (line: LandingLine, wanted: WantedLine, piece: PlacedPiece) => void;
  /** Called after each 20,000 lines, and after the last. */
  onPage: () => Promise<void>;
  signal?: AbortSignal | undefined;
}

const pageLines = 20_000;
/** So often something else may run, such as what stops the load. */
const piecesPerTurn = 100;

/** Reads the lines in `wanted_line` from their landing, in pages. @throws {LandingUnreadableError} */
export async function readWantedLines(
  warehouse: DuckDb,
  pieces: readonly PlacedPiece[],
  { onLine, onPage, signal }: ReadWantedOptions,
): Promise<void> {
  const reader = new PieceReader();
  try {
    for (let page = await listWanted(warehouse, -1); page.length > 0; ) {
      for (const [index, wanted] of groupByPlace(page).entries()) {
        if (index % piecesPerTurn === 0) await setImmediate();
        signal?.throwIfAborted();
        const [{ place }] = wanted;
        const piece = pieces[place];
        if (!piece) throw new Error(`lines are looked for in a piece ${place} that there is not`);
        findLines(reader, piece, wanted, onLine);
      }
      await onPage();
      page = page.length < pageLines ? [] : await listWanted(warehouse, page.at(-1)?.lineRow ?? 0);
    }
  } finally {
    reader.close();
  }
}

async function listWanted(warehouse: DuckDb, behindRow: number): Promise<WantedLine[]> {
  return await warehouse.all(
    `select line_row as "lineRow", place, piece_id as "pieceId", ordinal
    from temp.located_line where line_row > ? order by line_row limit ?`,
    [behindRow, pageLines],
  );
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
function findLines(
  reader: PieceReader,
  piece: PlacedPiece,
  wanted: readonly WantedLine[],
  onLine: ReadWantedOptions["onLine"],
): void {
  const cursor = new LineCursor();
  let [ordinal, index] = [0, 0];
  const take = () => {
    if (cursor.isBlank) return;
    ordinal += 1;
    const next = wanted[index];
    if (next?.ordinal !== ordinal) return;
    index += 1;
    onLine(cursor.line, next, piece);
  };
  for (const chunk of reader.read(piece)) {
    cursor.begin(chunk);
    while (index < wanted.length && cursor.next()) take();
    if (index === wanted.length) return;
  }
  if (cursor.finish()) take();
  if (index < wanted.length) throw new Error(`${piece.path} has fewer lines than DuckDB saw in it`);
}
