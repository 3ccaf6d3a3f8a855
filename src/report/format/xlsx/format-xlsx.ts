import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Report, ReportColumn, ReportRow } from "../../report.ts";
import { datesText } from "../../text/spans.ts";
import type { FormatOptions } from "../formatter.ts";
import { gatherPieces } from "../gather-rows.ts";
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

export const aboutColumns: readonly ReportColumn[] = [
  { name: "about", type: "text" },
  { name: "value", type: "text" },
];

/** What a report's heading says, for the sheet behind its rows. */
export function aboutRows({
  title,
  period,
  comparison,
  filters,
  dataAsOf,
  version,
  notes,
}: Report): ReportRow[] {
  return [
    ["report", title],
    ...(period ? [["from", period.from] as const, ["to", period.to] as const] : []),
    ...(comparison?.isPossible ? [["compared with", datesText(comparison.other, undefined)] as const] : []),
    ...filters.map((filter) => ["only", filter] as const),
    ["data as of", dataAsOf ?? "unknown"],
    ["version", version],
    ...notes.map((note) => ["note", note] as const),
  ];
}

/** Items that come once, taken in parts. */
export class RowParts<Item> {
  readonly #items: AsyncIterator<Item>;
  #next: Promise<IteratorResult<Item>> | undefined;

  constructor(items: AsyncIterable<Item>) {
    this.#items = items[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    this.#next ??= this.#items.next();
    return !(await this.#next).done;
  }

  /** The next ones, at most so many. */
  async *take(limit: number): AsyncIterable<Item> {
    for (let count = 0; count < limit; count += 1) {
      const next = await (this.#next ?? this.#items.next());
      this.#next = undefined;
      if (next.done) return;
      yield next.value;
    }
  }

  /** Takes no more. */
  async close(): Promise<void> {
    await this.#items.return?.();
  }
}
