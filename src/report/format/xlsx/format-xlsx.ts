import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Report, ReportColumn, ReportRow } from "../../result-types.ts";
import { formatDates } from "../../text/spans.ts";
import type { FormatOptions } from "../formatter.ts";
import { gatherPieces } from "../gather-rows.ts";
import { listRawColumns, listReadableColumns } from "./readable-columns.ts";
import { escapeXml, formatRange, renderSheet, type Sheet, stylesXml } from "./sheet-xml.ts";

/** Excel's limit, including the header. */
const maxRows = 1_048_576;

/** Streams a workbook: as many sheets as Excel's row limit requires, and one that describes the report. */
export function formatXlsx(
  report: Report,
  { raw = false }: FormatOptions = {},
  rowsPerSheet = maxRows,
): AsyncIterable<Uint8Array> {
  const columns = raw ? listRawColumns(report.columns) : listReadableColumns(report);
  return streamZip((zip) => writeParts(zip, { ...report, columns }, rowsPerSheet));
}

/** Streams an archive. `write` adds the parts and ends the archive. */
export async function* streamZip(write: (zip: ZipFile) => Promise<void>): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on("error", (error: Error) => output.destroy(error));
  const filled = write(zip).catch((error: Error) => output.destroy(error));
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    await filled;
  }
}

async function writeParts(zip: ZipFile, report: Report, rowsPerSheet: number): Promise<void> {
  const sheets: Sheet[] = [];
  const addSheet = async (name: string, columns: Sheet["columns"], rows: Rows) => {
    const sheet = { name, columns, rowCount: 0 };
    sheets.push(sheet);
    await addPart(zip, `xl/worksheets/sheet${sheets.length}.xml`, renderSheet(sheet, rows));
  };
  const rows = new RowParts(report.rows);
  try {
    do {
      await addSheet(nameSheet(report, sheets.length + 1), report.columns, rows.take(rowsPerSheet - 1));
    } while (await rows.hasMore());
  } finally {
    await rows.close();
  }
  await addSheet("About", aboutColumns, listAboutRows(report));
  for (const [name, text] of Object.entries(createWorkbookParts(sheets)))
    zip.addBuffer(Buffer.from(text), name);
  zip.end();
}

type Rows = AsyncIterable<ReportRow> | Iterable<ReportRow>;

/** Adds a part that is compressed while it is read, with backpressure. */
export async function addPart(
  zip: ZipFile,
  name: string,
  pieces: AsyncIterable<string>,
  options: Parameters<ZipFile["addReadStream"]>[2] = {},
): Promise<void> {
  const part = Readable.from(gatherPieces(pieces), { objectMode: false });
  const destroyPart = () => part.destroy();
  // The reader may close the output early.
  zip.outputStream.once("close", destroyPart);
  zip.addReadStream(part, name, options);
  await finished(part);
  zip.outputStream.off("close", destroyPart);
}

function nameSheet({ name }: Report, number: number): string {
  const subject = name ?? "query";
  return number === 1 ? subject : `${subject} ${number}`;
}

export const aboutColumns: readonly ReportColumn[] = [
  { name: "about", type: "text" },
  { name: "value", type: "text" },
];

export function listAboutRows({
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
    ...(comparison?.isPossible ? [["compared with", formatDates(comparison.other, undefined)] as const] : []),
    ...filters.map((filter) => ["only", filter] as const),
    ["data as of", dataAsOf ?? "unknown"],
    ["version", version],
    ...notes.map((note) => ["note", note] as const),
  ];
}

/** Splits an iterable into consecutive parts. */
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

  async *take(limit: number): AsyncIterable<Item> {
    for (let count = 0; count < limit; count += 1) {
      const next = await (this.#next ?? this.#items.next());
      this.#next = undefined;
      if (next.done) return;
      yield next.value;
    }
  }

  async close(): Promise<void> {
    await this.#items.return?.();
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const officeDocument = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships";
const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Returns the parts of a workbook other than its sheets, by path. */
export function createWorkbookParts(sheets: readonly Sheet[]): Readonly<Record<string, string>> {
  return {
    "xl/styles.xml": stylesXml,
    "xl/workbook.xml": renderWorkbook(sheets),
    "xl/_rels/workbook.xml.rels": renderRelations([
      ...sheets.map((_sheet, index) => ["worksheet", `worksheets/sheet${index + 1}.xml`] as const),
      ["styles", "styles.xml"],
    ]),
    "_rels/.rels": renderRelations([["officeDocument", "xl/workbook.xml"]]),
    "[Content_Types].xml": renderContentTypes(sheets),
  };
}

function renderWorkbook(sheets: readonly Sheet[]): string {
  const entries = sheets.map(
    ({ name }, index) =>
      `<sheet name="${escapeAttribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  // Some programs find a sheet's filter only by this name.
  const filters = sheets.map((sheet, index) => {
    const range = formatRange(sheet).replaceAll(/[A-Z]+|\d+/g, "$$$&");
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">'${escapeXml(sheet.name)}'!${range}</definedName>`;
  });
  return (
    `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeDocument}">` +
    `<sheets>${entries.join("")}</sheets><definedNames>${filters.join("")}</definedNames></workbook>`
  );
}

/** @param targets the last segment of each relationship's type URL, and its path */
function renderRelations(targets: readonly (readonly [type: string, path: string])[]): string {
  const entries = targets.map(
    ([type, path], index) =>
      `<Relationship Id="rId${index + 1}" Type="${officeDocument}/${type}" Target="${path}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageRelations}">${entries.join("")}</Relationships>`;
}

function renderContentTypes(sheets: readonly Sheet[]): string {
  const parts = [
    ["/xl/workbook.xml", "sheet.main"],
    ["/xl/styles.xml", "styles"],
    ...sheets.map((_sheet, index) => [`/xl/worksheets/sheet${index + 1}.xml`, "worksheet"] as const),
  ];
  return (
    `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${parts
      .map(([path, type]) => `<Override PartName="${path}" ContentType="${spreadsheet}.${type}+xml"/>`)
      .join("")}</Types>`
  );
}

function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', "&quot;");
}
