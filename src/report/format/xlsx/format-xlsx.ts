import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Report, ReportRow } from "../../report.ts";
import type { FormatOptions } from "../formatter.ts";
import { gatherPieces } from "../gather-pieces.ts";
import { aboutColumns, aboutRows } from "./about-rows.ts";
import { RowParts } from "./row-parts.ts";
import { type Sheet, sheetXml } from "./sheet-xml.ts";
import { workbookParts } from "./workbook-parts.ts";

/** Excel's limit, the header among them. */
const mostRows = 1_048_576;

/**
 * A workbook, written while rows come: real numbers and dates, on one sheet, or on several where Excel's limit asks for
 * it, and a last one that says what the report covers.
 */
export async function* formatXlsx(
  report: Report,
  _options?: FormatOptions,
  rowsPerSheet = mostRows,
): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on("error", (error: Error) => output.destroy(error));
  const filled = fill(zip, report, rowsPerSheet).catch((error: Error) => output.destroy(error));
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    await filled;
  }
}

async function fill(zip: ZipFile, report: Report, rowsPerSheet: number): Promise<void> {
  const sheets: Sheet[] = [];
  const addSheet = async (name: string, columns: Sheet["columns"], rows: Rows) => {
    const sheet = { name, columns, rowCount: 0 };
    sheets.push(sheet);
    await addPart(zip, `xl/worksheets/sheet${sheets.length}.xml`, sheetXml(sheet, rows));
  };
  const rows = new RowParts(report.rows);
  try {
    do {
      await addSheet(sheetName(report, sheets.length + 1), report.columns, rows.take(rowsPerSheet - 1));
    } while (await rows.hasMore());
  } finally {
    await rows.close();
  }
  await addSheet("About", aboutColumns, aboutRows(report));
  for (const [name, text] of Object.entries(workbookParts(sheets))) zip.addBuffer(Buffer.from(text), name);
  zip.end();
}

type Rows = AsyncIterable<ReportRow> | Iterable<ReportRow>;

/** Compresses a part as it comes, as fast as it is read. */
async function addPart(zip: ZipFile, name: string, pieces: AsyncIterable<string>): Promise<void> {
  const part = Readable.from(gatherPieces(pieces), { objectMode: false });
  const leave = () => part.destroy();
  // Whoever reads has gone away.
  zip.outputStream.once("close", leave);
  zip.addReadStream(part, name);
  await finished(part);
  zip.outputStream.off("close", leave);
}

function sheetName({ name }: Report, number: number): string {
  const subject = name ?? "query";
  return number === 1 ? subject : `${subject} ${number}`;
}
