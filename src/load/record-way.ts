import type { DuckDb } from "../engines/duckdb.ts";
import type { RefusedLines } from "./refused-lines.ts";

/** How records get into core. Both ways leave the same tables for what follows. */
export interface RecordWay {
  /** Reads the file; answers how many of its lines are known to be sound. */
  read(warehouse: DuckDb): Promise<number>;
  /** Ends with all records in core, those of mended lines too. */
  settle(warehouse: DuckDb, refused: RefusedLines): Promise<RecordCounts>;
}

interface RecordCounts {
  newPlays: number;
  changed: number;
  unchanged: number;
  duplicate: number;
}
