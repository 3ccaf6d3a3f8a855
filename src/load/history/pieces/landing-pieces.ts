import type { DuckDb } from "../../../engines/duckdb/duckdb.ts";
import { awaitBoth } from "../../../util/await-both.ts";
import { readSql } from "../../../util/files/package-files.ts";
import { appendRows } from "../../declare-tables.ts";
import { isGzipName } from "../../lines/line-cursor.ts";
import type { OpenLanding } from "../open-landing.ts";
import { readLines } from "../read-lines.ts";
import type { KnownPieces, Piece } from "./piece-cutter.ts";
import { type ReadPiecesOptions, readPieces } from "./read-pieces.ts";

/** A piece, with its landing and the file that contains it. */
export interface PlacedPiece extends Piece {
  /** The uncompressed file that contains the piece. */
  path: string;
  landing: OpenLanding;
}

export interface PlacedPieces {
  list: PlacedPiece[];
  /** Number of rows, if DuckDB has already read all pieces; otherwise `undefined`. */
  rows: number | undefined;
}

export interface CutLandingsOptions extends Omit<ReadPiecesOptions, "known"> {
  isCareful: boolean;
}

const pagePieces = 20_000;

/**
 * Cuts the landings into pieces and fills `temp.piece`. If no piece is known yet, DuckDB reads the lines
 * meanwhile.
 */
export async function cutLandings(
  warehouse: DuckDb,
  landings: readonly [OpenLanding, ...OpenLanding[]],
  { isCareful, ...options }: CutLandingsOptions,
): Promise<PlacedPieces> {
  const known = await listKnownPieces(warehouse);
  const [{ path }, ...others] = landings;
  const isReadAtOnce = others.length === 0 && known.lines.size === 0 && !isCareful && !isGzipName(path);
  const [rows, list] = await awaitBoth(
    isReadAtOnce ? readLines(warehouse, path) : Promise.resolve(undefined),
    placePieces(landings, { ...options, known }),
  );
  for (let place = 0; place < list.length; place += pagePieces) {
    const page = list.slice(place, place + pagePieces).map((piece, index) => ({
      place: place + index,
      load_id: piece.landing.loadId,
      digest: piece.digest,
      bytes: piece.bytes,
      lines: piece.lines,
      blank: piece.blank,
      is_known: piece.isKnown,
    }));
    await appendRows(warehouse, "cut_piece", page);
  }
  await warehouse.run(readSql("load/history/find_known_pieces.sql"));
  return { list, rows };
}

async function placePieces(
  landings: readonly OpenLanding[],
  options: ReadPiecesOptions,
): Promise<PlacedPiece[]> {
  const list: PlacedPiece[] = [];
  for (const landing of landings) {
    const { path, pieces } = await readPieces(landing.path, options);
    for (const piece of pieces) list.push({ ...piece, path, landing });
  }
  return list;
}

async function listKnownPieces(warehouse: DuckDb): Promise<KnownPieces> {
  const { key, known } = await warehouse.get<{ key: string; known: string }>(
    readSql("load/history/list_known_pieces.sql"),
  );
  const lines = new Map<string, number>();
  for (const piece of known === "" ? [] : known.split("\n")) {
    const [digest = "", count] = piece.split(" ");
    lines.set(digest, Number(count));
  }
  return { key: Buffer.from(key, "hex"), lines };
}
