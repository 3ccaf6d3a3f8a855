import { isPacked, readChunks } from "./landing-chunks.ts";
import { LineCursor } from "./line-cursor.ts";

/** A place in a landing from where its lines can be read. */
export interface LineMark {
  /** Lines before it. */
  lines: number;
  /** Lines before it that are not blank. */
  ordinal: number;
  /** In bytes. */
  at: number;
}

/** How many lines a landing has, and how to find them again. */
export interface LineCounts {
  lines: number;
  /** Nothing but white space. */
  blank: number;
  /** A line is longer than can be left to DuckDB. */
  hasLongLine: boolean;
  /** In the order of the file; the first is its beginning, and the only one where the file is packed. */
  marks: LineMark[];
}

const linesPerMark = 500;
/** Of these all are shown to `look`; of those after them one in so many. */
const linesLookedAt = 2000;
const linesPerLook = 500;

export interface CountOptions {
  path: string;
  /** Is given the text of the first lines, and of some of the others. */
  look?: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** @throws {LandingUnreadableError} */
export async function countLines({ path, look, signal }: CountOptions): Promise<LineCounts> {
  const counts: LineCounts = {
    lines: 0,
    blank: 0,
    hasLongLine: false,
    marks: [{ lines: 0, ordinal: 0, at: 0 }],
  };
  const cursor = new LineCursor();
  const hasMarks = !isPacked(path);
  const count = () => {
    counts.lines += 1;
    if (cursor.isBlank) counts.blank += 1;
    if (cursor.isTooLong) counts.hasLongLine = true;
    if (look && (counts.lines <= linesLookedAt || counts.lines % linesPerLook === 0)) {
      look(cursor.line.bytes.toString("utf8"));
    }
    if (hasMarks && counts.lines % linesPerMark === 0) {
      counts.marks.push({ lines: counts.lines, ordinal: counts.lines - counts.blank, at: cursor.nextAt });
    }
  };
  for await (const chunk of readChunks(path)) {
    signal?.throwIfAborted();
    cursor.begin(chunk);
    while (cursor.next()) count();
  }
  if (cursor.finish()) count();
  return counts;
}
