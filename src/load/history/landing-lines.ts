import { open } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { appendRows } from "../declare-tables.ts";
import { isGzipName, lineEnd, readChunks, skipByteOrderMark } from "../lines/line-cursor.ts";
import { LineIndex } from "../lines/line-index.ts";
import type { OpenLanding } from "./open-landing.ts";

/** The lines of one landing, or of several that are read as one file. */
export interface LandingLines {
  /** Uncompressed file with the lines. */
  path: string;
  index: LineIndex;
  landings: readonly { landing: OpenLanding; linesBefore: number }[];
}

interface IndexOptions {
  /** Called with a sample of the lines. */
  onSample: (line: string) => void;
  signal?: AbortSignal | undefined;
}

interface LinesFile {
  path: string;
  /** True if the file is written when the lines are indexed. */
  isCopy: boolean;
}

/** Returns the file that contains, or will contain, the lines of these landings. */
export function locateLines(
  [first, ...others]: readonly [OpenLanding, ...OpenLanding[]],
  folder: string,
): LinesFile {
  const isCopy = others.length > 0 || isGzipName(first.path);
  return { isCopy, path: isCopy ? join(folder, "lines.jsonl") : first.path };
}

/**
 * Counts the lines, and stores the counts in `temp.landing_lines`. Decompresses gzipped landings, and concatenates
 * several landings into one file.
 * @throws {LandingUnreadableError}
 */
export async function indexLines(
  warehouse: DuckDb,
  landings: readonly OpenLanding[],
  { path, isCopy }: LinesFile,
  { onSample, signal }: IndexOptions,
): Promise<LandingLines> {
  const index = new LineIndex(onSample);
  const counted: LandingLines["landings"][number][] = [];
  const counts: object[] = [];
  const copy = isCopy ? await open(path, "wx") : undefined;
  try {
    for (const landing of landings) {
      const before = { lines: index.lines, blank: index.blank, rows: index.rows };
      let isBeginning = true;
      let lastByte: number | undefined;
      for await (const chunk of readChunks(landing.path)) {
        signal?.throwIfAborted();
        const bytes = copy && isBeginning ? skipByteOrderMark(chunk) : chunk;
        isBeginning = false;
        index.add(bytes);
        await copy?.writeFile(bytes);
        lastByte = bytes.at(-1) ?? lastByte;
      }
      if (copy && lastByte !== undefined && lastByte !== lineEnd[0]) {
        index.add(lineEnd);
        await copy.writeFile(lineEnd);
      } else index.finish();
      counted.push({ landing, linesBefore: before.lines });
      counts.push({
        load_id: landing.loadId,
        lines: index.lines - before.lines,
        blank: index.blank - before.blank,
        from_row: before.rows,
        to_row: index.rows,
      });
    }
  } finally {
    await copy?.close();
  }
  await appendRows(warehouse, "landing_lines", counts);
  return { path, index, landings: counted };
}
