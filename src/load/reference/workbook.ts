import type { CellValue } from "hucre/xlsx";

const dayMs = 86_400_000;

/**
 * Returns the cells of a workbook's first sheet as the text that a CSV would have: dates as YYYY-MM-DD, times as HH:MM.
 * @throws if the bytes are not a workbook
 */
export async function readFirstSheet(bytes: Uint8Array): Promise<string[][]> {
  // Loaded lazily: most reference files are CSVs.
  const { readXlsx } = await import("hucre/xlsx");
  const { sheets, dateSystem } = await readXlsx(bytes, { sheets: [0] });
  // Times of day are fractions of the first day.
  const firstDayMs = dateSystem === "1904" ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 31);
  return (sheets[0]?.rows ?? []).map((row) => row.map((cell) => textOf(cell, firstDayMs)));
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
