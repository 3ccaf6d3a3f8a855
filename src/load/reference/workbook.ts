import type { CellValue } from "hucre/xlsx";
import { unzip, type ZipPart, zipParts } from "../../util/files/zip-parts.ts";

const dayMs = 86_400_000;

/** The sheet that is read, with its cells as the text that a CSV would have: dates as YYYY-MM-DD, times as HH:MM. */
interface FilledSheet {
  name: string;
  rows: string[][];
  /** Formulas that no spreadsheet has calculated yet, by their index in `rows`. */
  uncalculated: { row: number; formula: string }[];
}

/**
 * Reads the first visible sheet with content; `undefined` if there is none. A merged value applies to each row that
 * it spans.
 * @throws if the bytes are not a workbook
 */
export async function readFilledSheet(bytes: Buffer): Promise<FilledSheet | undefined> {
  // Loaded lazily: most reference files are CSVs.
  const { readXlsx } = await import("hucre/xlsx");
  const { sheets, dateSystem } = await readXlsx(await simplify(bytes), {
    sheets: (sheet) => !sheet.hidden && !sheet.veryHidden,
  });
  // Times of day are fractions of the first day.
  const firstDayMs = dateSystem === "1904" ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 31);
  for (const { name, rows: cells, cells: details = new Map(), merges = [] } of sheets) {
    const rows = cells.map((row) => row.map((cell) => textOf(cell, firstDayMs)));
    const filled = rows.map((row) => row.some((text) => text !== ""));
    const uncalculated = [...details].flatMap(([place, { formula, value }]) =>
      formula === undefined || value !== null
        ? []
        : [{ row: Number.parseInt(place, 10), formula: `=${formula}` }],
    );
    for (const { startRow, endRow, startCol } of merges)
      for (const [below, row] of rows.slice(startRow + 1, endRow + 1).entries())
        if (filled[startRow + 1 + below]) row[startCol] = rows[startRow]?.[startCol] ?? "";
    if (uncalculated.length > 0 || filled.includes(true)) return { name, rows, uncalculated };
  }
  return undefined;
}

/** Matches a cell with neither text nor a formula, and captures its attributes. */
const emptyCell = /<((?:\w+:)?)c((?:\s[^<>]*?)?)(?:\/>|>(?:\s|<(?!\/?\1[cf][\s/>])[^<>]*>)*<\/\1c>)/g;

/**
 * Rewrites the parts that `hucre` misreads. It replaces an empty text with the workbook's first text, reserves memory
 * for all cells up to the last one, even an empty one, and rejects chart sheets.
 */
async function simplify(bytes: Buffer): Promise<Buffer> {
  // For other files, such as a password-protected workbook, `hucre` throws an error that explains the problem.
  if (bytes.toString("latin1", 0, 2) !== "PK") return bytes;
  const rewrite = ({ name, content }: ZipPart, pattern: RegExp, replace: (...found: string[]) => string) => ({
    name,
    content: Buffer.from(content.toString().replaceAll(pattern, replace)),
  });
  return await zipParts(
    unzip(bytes)
      .filter(({ name }) => !name.endsWith("/"))
      .map((part) => {
        if (part.name.endsWith(".rels"))
          return rewrite(part, /(?<=\/)chartsheet(?=["'])/g, () => "worksheet");
        return part.content.includes("sheetData") ? rewrite(part, emptyCell, keepPlace) : part;
      }),
  );
}

/** Keeps the place of a cell without an address, because it determines the address of the next cell. */
function keepPlace(_cell: string, prefix = "", attributes = ""): string {
  return /\sr=/.test(attributes) ? "" : `<${prefix}c/>`;
}

function textOf(cell: CellValue, firstDayMs: number): string {
  if (cell === null) return "";
  // Spreadsheets are exact to 15 digits, but the file may contain more: 0.1 + 0.2 is 0.30000000000000004.
  if (typeof cell === "number" && !Number.isSafeInteger(cell)) return String(Number(cell.toPrecision(15)));
  if (!(cell instanceof Date)) return String(cell).trim();
  // Rounds to seconds, because fractions of a day are rarely exact.
  const time = new Date(Math.round(cell.getTime() / 1000) * 1000);
  const text = time.toISOString();
  const sinceFirstMs = time.getTime() - firstDayMs;
  if (sinceFirstMs === dayMs) return "24:00";
  if (sinceFirstMs >= 0 && sinceFirstMs < dayMs) return text.slice(11, text.endsWith(":00.000Z") ? 16 : 19);
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}
