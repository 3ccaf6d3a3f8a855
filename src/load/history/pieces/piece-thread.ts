import { parentPort, workerData } from "node:worker_threads";
import { type CutFileOptions, cutPart, type FilePart } from "./cut-part.ts";
import type { Piece } from "./piece.ts";

/** What a thread that cuts a part of a file is started with. */
export interface ThreadInput extends Omit<CutFileOptions, "show"> {
  part: FilePart;
}

/** What it answers, a batch at a time. */
export interface ThreadOutput {
  pieces: Piece[];
  /** Lines that were shown. */
  shown: string[];
}

const batchPieces = 1000;

const { part, ...options } = workerData as ThreadInput;
let output: ThreadOutput = { pieces: [], shown: [] };
const show = (line: string) => output.shown.push(line);
for await (const piece of cutPart(part, { ...options, show })) {
  output.pieces.push(piece);
  if (output.pieces.length === batchPieces) post();
}
post();

function post(): void {
  parentPort?.postMessage(output);
  output = { pieces: [], shown: [] };
}
