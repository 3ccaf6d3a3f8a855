import { createHash, type KeyObject } from "node:crypto";
import { identifyKey, signPieces } from "../../util/signed-text.ts";
import { addPart, createWorkbookParts, streamZip } from "../format/xlsx/format-xlsx.ts";
import { renderSheet, type Sheet } from "../format/xlsx/sheet-xml.ts";
import type { ReportColumn, ReportRow } from "../result-types.ts";
import { encodeFrame, type ProofDocument } from "./build-proof.ts";
import { describeProof, type ProofContent } from "./describe-proof.ts";
import { listProofTables, nameRows, showTable } from "./proof-tables.ts";

interface ProofSheet extends Pick<Sheet, "name" | "columns"> {
  rows: AsyncIterable<ReportRow> | Iterable<ReportRow>;
}

/** The last part of a workbook, signed: its parameters, and the names and hashes of all other parts. */
export const signaturePart = "venue-proof.xml";

/** Streams a proof as a workbook. The same document and key always give the same bytes. */
export function streamProofWorkbook(document: ProofDocument, key: KeyObject): AsyncIterable<Uint8Array> {
  // This time is the same in every time zone.
  const options = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };
  return streamZip(async (zip) => {
    const parts: [name: string, sha256: string][] = [];
    const add = async (name: string, pieces: AsyncIterable<string> | Iterable<string>) => {
      const hash = createHash("sha256");
      await addPart(zip, name, hashPieces(pieces, hash), options);
      parts.push([name, hash.digest("hex")]);
    };
    const sheets: Sheet[] = [];
    for (const { rows, ...form } of await listProofSheets(document, key)) {
      const sheet = { ...form, rowCount: 0 };
      sheets.push(sheet);
      await add(`xl/worksheets/sheet${sheets.length}.xml`, renderSheet(sheet, rows));
    }
    for (const [name, content] of Object.entries(createWorkbookParts(sheets))) await add(name, [content]);
    const list = `<venue-proof>${encodeFrame(document, parts)}</venue-proof>`;
    await add(signaturePart, signPieces([list], key));
    zip.end();
  });
}

async function* hashPieces(
  pieces: AsyncIterable<string> | Iterable<string>,
  hash: ReturnType<typeof createHash>,
): AsyncIterable<string> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

/** Returns the sheets of a proof, with the same content as its page. */
async function listProofSheets(document: ProofDocument, key: KeyObject): Promise<ProofSheet[]> {
  const content = await describeProof(document);
  return [
    {
      name: "Proof",
      columns: ["proof", "value", "note"].map((name) => ({ name, type: "text" })),
      rows: listMainRows(document, content, key),
    },
    ...content.sections.map(({ title, head, rows, total, none }) => ({
      name: title,
      columns: head.map((name, at): ReportColumn => {
        return { name, type: typeof (rows[0]?.[at] ?? 0) === "number" ? "number" : "text" };
      }),
      rows: [...(rows.length === 0 ? [[none]] : rows), ...(rows.length > 0 && total ? [total] : [])].map(
        (cells) => cells.map((cell) => (typeof cell === "object" && cell !== null ? cell.join("\n") : cell)),
      ),
    })),
    ...listProofTables(document.scope).map(([table]) => ({
      name: nameRows(table, "sheet"),
      ...showTable(document.rows, table),
    })),
  ];
}

function listMainRows(document: ProofDocument, content: ProofContent, key: KeyObject): ReportRow[] {
  const { source, brand } = document;
  return [
    ...(brand.about === undefined ? [] : [["About", brand.about, null]]),
    ["Title", content.title, null],
    ["Claim", content.claim, null],
    ["Covers", content.covers.join(" · "), null],
    ...content.facts.map(({ label, value, note }) => [label, value, note]),
    ["Published version", source.version, null],
    ["Signed with key", identifyKey(key), "check: venue proof verify FILE --key KEY"],
    ["Written by", `venue-analytics ${source.program}`, null],
  ];
}
