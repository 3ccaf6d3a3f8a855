import { readChunks } from "./landing-chunks.ts";
import { LineCursor } from "./line-cursor.ts";

/** How many lines a landing has. */
export interface LineCounts {
  lines: number;
  /** Nothing but white space. */
  blank: number;
  /** A line is longer than can be left to DuckDB. */
  hasLongLine: boolean;
}

/** @throws {LandingUnreadableError} */
export async function countLines(path: string, signal?: AbortSignal): Promise<LineCounts> {
  const counts: LineCounts = { lines: 0, blank: 0, hasLongLine: false };
  const cursor = new LineCursor();
  const count = () => {
    counts.lines += 1;
    if (cursor.isBlank) counts.blank += 1;
    if (cursor.isTooLong) counts.hasLongLine = true;
  };
  for await (const chunk of readChunks(path)) {
    signal?.throwIfAborted();
    cursor.begin(chunk);
    while (cursor.next()) count();
  }
  if (cursor.finish()) count();
  return counts;
}
