import type { CellValue } from "hucre/xlsx";
import { softwareVersion } from "../../util/files/package-files.ts";
import type { ReportColumn, ReportValue } from "../report.ts";
import type { ProofDocument } from "./build-proof.ts";
import { findDifferentPart } from "./find-different-part.ts";
import { decodeProofFrame } from "./proof-frame.ts";
import {
  hashProofRows,
  listProofColumns,
  type ProofRows,
  type ProofTable,
  parseField,
  parseProofTable,
  proofFileError,
  proofTableNames,
} from "./proof-tables.ts";
import {
  formatProofWorkbook,
  listProofSheets,
  nameRowSheet,
  type ProofSheet,
  workbookLabels,
} from "./proof-workbook.ts";
import { nameRowFile, renderProofHtml } from "./render-proof.ts";

/** A proof as a file states it. */
export interface ReadProof {
  document: ProofDocument;
  format: "html" | "xlsx";
  /** True if the rows have the SHA-256 that the file states. */
  hasRowHash: boolean;
  /**
   * Where the file first differs from what its own rows and letterhead give; `undefined` if nowhere. If another
   * version of the program wrote it, that is not a finding: see `isOtherProgram`.
   */
  firstDifference: string | undefined;
  isOtherProgram: boolean;
}

/** Reads a file that `venue proof` wrote, and compares it with its own rows. @throws {VenueError} `PROOF_FILE` */
export async function readProof(bytes: Buffer): Promise<ReadProof> {
  const isWorkbook = bytes.subarray(0, 2).toString("latin1") === "PK";
  const found = await (isWorkbook ? readWorkbook(bytes) : readPage(bytes.toString("utf8")));
  return { ...found, isOtherProgram: found.document.program !== softwareVersion() };
}

async function readPage(text: string): Promise<Omit<ReadProof, "isOtherProgram">> {
  const find = (pattern: RegExp, what: string) => {
    const [, found] = pattern.exec(text) ?? [];
    if (found === undefined) throw proofFileError(`it has no ${what}`);
    return found;
  };
  const frame = decodeProofFrame(find(/<meta name="venue-proof" content="([^"]*)">/, "parameters"));
  const logo = /<img class="logo" alt="" src="data:image\/svg\+xml;base64,([^"]*)">/.exec(text)?.[1];
  const rows = readTables((table) => {
    const name = nameRowFile(table).replace(".", "\\.");
    const data = find(
      new RegExp(`<a download="${name}" href="data:text/csv;charset=utf-8;base64,([^"]*)">`),
      `rows (${table})`,
    );
    return parseProofTable(table, Buffer.from(data, "base64").toString("utf8"));
  });
  const document = {
    ...frame,
    brand: {
      ...frame.brand,
      ...(logo !== undefined && { logo: Buffer.from(logo, "base64").toString("utf8") }),
    },
    rows,
  };
  return {
    document,
    format: "html",
    hasRowHash:
      (await hashProofRows(rows)) ===
      find(/SHA-256 of the rows: <code>([^<]*)<\/code>/, "SHA-256 of its rows"),
    firstDifference: findDifferentLine(text, await renderProofHtml(document)),
  };
}

function readTables(read: (table: ProofTable) => ProofRows[ProofTable]): ProofRows {
  return Object.fromEntries(proofTableNames.map((table) => [table, read(table)])) as unknown as ProofRows;
}

/** Most characters of a line in a message. */
const maxShown = 120;

function findDifferentLine(text: string, expected: string): string | undefined {
  if (text === expected) return undefined;
  const lines = text.split("\n");
  const others = expected.split("\n");
  const at = others.findIndex((line, index) => line !== lines[index]);
  const [line = "", other = ""] = at === -1 ? [lines[others.length]] : [lines[at], others[at]];
  let place = 0;
  while (place < line.length && line[place] === other[place]) place += 1;
  const from = Math.max(0, place - 30);
  const shown = JSON.stringify(line.slice(from, from + maxShown));
  return `line ${at === -1 ? others.length + 1 : at + 1}: ${shown}, expected ${JSON.stringify(other.slice(from, from + maxShown))}`;
}

async function readWorkbook(bytes: Buffer): Promise<Omit<ReadProof, "isOtherProgram">> {
  const { readXlsx } = await import("hucre/xlsx");
  const { sheets } = await readXlsx(bytes).catch((cause: unknown) => {
    throw proofFileError("it is not a workbook", { cause });
  });
  const cells = new Map(sheets.map(({ name, rows }) => [name, rows.map((row) => row.map(textOf))]));
  const getSheet = (name: string) => {
    const found = cells.get(name);
    if (!found) throw proofFileError(`it has no sheet "${name}"`);
    return found;
  };
  const main = getSheet("Proof");
  const valuesOf = (label: string) =>
    main.filter(([first]) => first === label).map(([, value = ""]) => value);
  const frame = decodeProofFrame(valuesOf(workbookLabels.frame).join(""));
  const rows = readTables((table) => {
    const columns = listProofColumns(table);
    const [head = [], ...lines] = getSheet(nameRowSheet(table));
    if (head.join() !== columns.map(({ name }) => name).join())
      throw proofFileError(`its sheet "${nameRowSheet(table)}" has other columns`);
    return lines.map((line) =>
      Object.fromEntries(columns.map((column, at) => [column.name, toRowValue(line[at], column)])),
    );
  });
  const document = { ...frame, rows };
  return {
    document,
    format: "xlsx",
    hasRowHash: (await hashProofRows(rows)) === valuesOf(workbookLabels.hash)[0],
    firstDifference:
      findDifferentCell([...cells], await listProofSheets(document)) ?? (await describePart(bytes, document)),
  };
}

async function describePart(bytes: Buffer, document: ProofDocument): Promise<string | undefined> {
  const part = findDifferentPart(bytes, await formatProofWorkbook(document));
  return (
    part &&
    `${part}: the values of all cells are as expected, but not everything else, such as formats, hidden rows, formulas or pictures; another program may have saved the workbook`
  );
}

function toRowValue(text: string | undefined, column: ReportColumn): ReportValue {
  if (text === undefined || text === "") return null;
  return column.type === "text" ? text : parseField(text, column);
}

/** Writes a cell as text: dates as YYYY-MM-DD. */
function textOf(cell: CellValue): string {
  if (cell === null) return "";
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
}

function findDifferentCell(
  found: readonly (readonly [name: string, cells: readonly string[][]])[],
  expected: readonly ProofSheet[],
): string | undefined {
  const names = expected.map(({ name }) => name);
  const foundNames = found.map(([name]) => name);
  if (names.join("\n") !== foundNames.join("\n"))
    return `sheets ${foundNames.join(", ")}, expected ${names.join(", ")}`;
  for (const [index, { name, columns, rows }] of expected.entries()) {
    const cells = found[index]?.[1] ?? [];
    const texts = [
      columns.map((column) => column.name),
      ...rows.map((row) => row.map((value) => String(value ?? ""))),
    ];
    for (let line = 0; line < Math.max(cells.length, texts.length); line += 1) {
      for (let at = 0; at < Math.max(cells[line]?.length ?? 0, texts[line]?.length ?? 0); at += 1) {
        const [cell = "", text = ""] = [cells[line]?.[at], texts[line]?.[at]];
        if (cell !== text)
          return `sheet "${name}", row ${line + 1}, column ${at + 1}: ${JSON.stringify(cell.slice(0, maxShown))}, expected ${JSON.stringify(text.slice(0, maxShown))}`;
      }
    }
  }
  return undefined;
}
