import type { CellValue } from "hucre/xlsx";

const dayMs = 86_400_000;

/** The sheet that counts, with its cells as the text that a CSV would have: dates as YYYY-MM-DD, times as HH:MM. */
interface FilledSheet {
  name: string;
  rows: string[][];
  /** Formulas that no spreadsheet has calculated yet, by their index in `rows`. */
  uncalculated: { row: number; formula: string }[];
}

/**
 * Reads the first visible sheet with content; `undefined` if there is none.
 * @throws if the bytes are not a workbook
 */
export async function readFilledSheet(bytes: Uint8Array): Promise<FilledSheet | undefined> {
  // Loaded lazily: most reference files are CSVs.
  const { readXlsx } = await import("hucre/xlsx");
  const { sheets, dateSystem } = await readXlsx(bytes, {
    sheets: (sheet) => !sheet.hidden && !sheet.veryHidden,
  });
  // Times of day are fractions of the first day.
  const firstDayMs = dateSystem === "1904" ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 31);
  for (const { name, rows: cells, cells: details = new Map() } of sheets) {
    const rows = cells.map((row) => row.map((cell) => textOf(cell, firstDayMs)));
    const uncalculated = [...details].flatMap(([place, { formula, value }]) =>
      formula === undefined || value !== null
        ? []
        : [{ row: Number.parseInt(place, 10), formula: `=${formula}` }],
    );
    if (uncalculated.length > 0 || rows.some((row) => row.some((text) => text !== "")))
      return { name, rows, uncalculated };
  }
  return undefined;
}

function textOf(cell: CellValue, firstDayMs: number): string {
  if (cell === null) return "";
  if (!(cell instanceof Date)) return String(cell).trim();
  // Fractions of a day are rarely exact.
  const time = new Date(Math.round(cell.getTime() / 1000) * 1000);
  const text = time.toISOString();
  const sinceFirstMs = time.getTime() - firstDayMs;
  if (sinceFirstMs === dayMs) return "24:00";
  if (sinceFirstMs >= 0 && sinceFirstMs < dayMs) return text.slice(11, text.endsWith(":00.000Z") ? 16 : 19);
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}
