import { buffer } from "node:stream/consumers";
import { addPart, createWorkbookParts, streamZip } from "../format/xlsx/format-xlsx.ts";
import { renderSheet, type Sheet } from "../format/xlsx/sheet-xml.ts";
import type { ReportColumn, ReportRow } from "../report.ts";
import { formatMoment } from "../text/readable-text.ts";
import { hashBrand } from "./brand.ts";
import type { ProofDocument } from "./build-proof.ts";
import { encodeProofFrame } from "./proof-frame.ts";
import { listProofSections } from "./proof-sections.ts";
import {
  hashProofRows,
  inTurns,
  listProofColumns,
  type ProofRow,
  type ProofTable,
  proofTableNames,
} from "./proof-tables.ts";
import {
  claimProof,
  describeAttribution,
  describeProofData,
  describeProofScope,
  listProofFacts,
  proofDefinitions,
  titleProof,
} from "./proof-text.ts";
import { type ProofSummary, summarizeProof } from "./summarize-proof.ts";

export interface ProofSheet extends Pick<Sheet, "name" | "columns"> {
  rows: readonly ReportRow[];
}

/** Labels of rows that `read-proof.ts` looks for. */
export const workbookLabels = { hash: "SHA-256 of the rows", frame: "Parameters" } as const;

/** Excel's limit per cell is 32,767 characters. */
const maxPiece = 30_000;

/** Formats a proof as a workbook. The same document always gives the same bytes. */
export async function formatProofWorkbook(document: ProofDocument): Promise<Buffer> {
  return await buffer(streamProofWorkbook(document));
}

export function streamProofWorkbook(document: ProofDocument): AsyncIterable<Uint8Array> {
  // A fixed time in every time zone.
  const options = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };
  return streamZip(async (zip) => {
    const sheets: Sheet[] = [];
    for (const { rows, ...form } of await listProofSheets(document)) {
      const sheet = { ...form, rowCount: 0 };
      sheets.push(sheet);
      const name = `xl/worksheets/sheet${sheets.length}.xml`;
      await addPart(zip, name, renderSheet(sheet, inTurns(rows)), options);
    }
    for (const [name, text] of Object.entries(createWorkbookParts(sheets)))
      zip.addBuffer(Buffer.from(text), name, options);
    zip.end();
  });
}

export function nameRowSheet(table: ProofTable): string {
  return `rows ${table}`;
}

/** Returns the sheets of a proof, which show what its page shows. */
export async function listProofSheets(document: ProofDocument): Promise<ProofSheet[]> {
  const summary = await summarizeProof(document);
  return [
    {
      name: "Proof",
      columns: textColumns(["proof", "value", "note"]),
      rows: await listMainRows(document, summary),
    },
    ...listProofSections(summary).map(({ title, head, rows, total, none }) => ({
      name: title,
      columns: head.map(
        (name, at): ReportColumn => ({ name, type: isNumeric(rows[0]?.[at]) ? "number" : "text" }),
      ),
      rows: [...(rows.length === 0 ? [[none]] : rows), ...(rows.length > 0 && total ? [total] : [])].map(
        (cells) => cells.map((cell) => (typeof cell === "object" && cell !== null ? cell.join("\n") : cell)),
      ),
    })),
    { name: "Definitions", columns: textColumns(["term", "meaning"]), rows: proofDefinitions },
    ...(await Promise.all(proofTableNames.map((table) => createRowSheet(table, document.rows[table])))),
  ];
}

async function createRowSheet(table: ProofTable, rows: readonly ProofRow[]): Promise<ProofSheet> {
  const columns = listProofColumns(table);
  const cells: ReportRow[] = [];
  for await (const row of inTurns(rows)) cells.push(columns.map(({ name }) => row[name] ?? null));
  return { name: nameRowSheet(table), columns, rows: cells };
}

async function listMainRows(document: ProofDocument, summary: ProofSummary): Promise<ReportRow[]> {
  const { source, program, brand, rows } = document;
  const frame = encodeProofFrame(document);
  const pieces = Array.from({ length: Math.ceil(frame.length / maxPiece) }, (_, at) =>
    frame.slice(at * maxPiece, (at + 1) * maxPiece),
  );
  return [
    ...(brand.about === undefined ? [] : [["About", brand.about, null]]),
    ["Title", titleProof(document, summary), null],
    ["Claim", claimProof(document, summary), null],
    ["Covers", describeProofScope(document, summary).join(" · "), null],
    ...listProofFacts(document, summary).map(({ label, value, note }) => [label, value, note]),
    ...describeAttribution(summary).map((text) => ["How plays were attributed", text, null]),
    ...describeProofData(document, summary).map((text) => ["Coverage and age of the data", text, null]),
    [
      "Published version",
      source.version,
      source.builtAt === null ? null : `built ${formatMoment(source.builtAt)}`,
    ],
    [
      workbookLabels.hash,
      await hashProofRows(rows),
      "of the rows in the last four sheets, as the CSV files of the page",
    ],
    ["SHA-256 of the letterhead", hashBrand(brand), null],
    ["Written by", `venue-analytics ${program}`, "check: venue proof verify FILE"],
    ...pieces.map((piece) => [workbookLabels.frame, piece, "for venue proof verify"]),
  ];
}

function textColumns(names: readonly string[]): ReportColumn[] {
  return names.map((name) => ({ name, type: "text" }));
}

function isNumeric(cell: unknown): boolean {
  return typeof cell === "number" || cell === null;
}
