import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { findMistakes } from "./check-reference.ts";
import type { Separator } from "./reference-file.ts";

/** What of a reference file can be used. */
export interface ReferenceFinding {
  /** E.g. `opening_hours.csv`. */
  name: string;
  path: string;
  /** How the file was read; `null` where it can't be read. */
  separator: Separator | null;
  /** Lines that say something; 0 where any can't be used. */
  lines: number;
  mistakes: { line_number: number; message: string }[];
}

/** Looks at the analyst's CSVs, whole, and changes nothing. A file that is missing counts as empty. */
export async function checkReferenceFiles(settings: Settings): Promise<ReferenceFinding[]> {
  const { reference } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const database = await DuckDb.open();
  try {
    const found = await findMistakes(database, reference);
    return found.map(({ name, path, separator, rows, mistakes }) => ({
      name,
      path,
      separator: separator ?? null,
      lines: rows.length,
      mistakes: mistakes.map(({ lineNumber, message }) => ({ line_number: lineNumber, message })),
    }));
  } finally {
    database.close();
  }
}
