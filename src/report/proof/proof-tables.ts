import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { VenueError } from "../../util/venue-error.ts";
import { proofLists } from "../catalog/proof.ts";
import { listColumns } from "../columns/report-columns.ts";
import { formatTextField } from "../format/text-formats.ts";
import type { ReportColumn, ReportValue } from "../report.ts";

export type ProofTable = keyof typeof proofLists;
export type ProofRow = Readonly<Record<string, ReportValue>>;
export type ProofRows = Readonly<Record<ProofTable, readonly ProofRow[]>>;

/** The underlying rows of a proof, in the order in which they are hashed. */
export const proofTableNames = Object.keys(proofLists) as ProofTable[];

/** Columns that identify a row of each table. */
export const proofKeys: Readonly<Record<ProofTable, readonly string[]>> = {
  campaigns: ["kind", "campaign_id"],
  venues: ["zone_id", "location_id"],
  days: ["kind", "campaign_id", "zone_id", "date"],
  plays: ["kind", "campaign_id", "zone_id", "date", "item_id"],
};

export function listProofColumns(table: ProofTable): ReportColumn[] {
  return listColumns(proofLists[table]);
}

const rowsPerTurn = 1_000;

/** Yields rows, and lets the process do other work in between: a proof has up to 500,000. */
export async function* inTurns<Row>(rows: readonly Row[]): AsyncIterable<Row> {
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === 0) await setImmediate();
    yield row;
  }
}

/** Returns the SHA-256 of all rows: of the CSV files of the four tables, one after the other. */
export async function hashProofRows(rows: ProofRows): Promise<string> {
  const hash = createHash("sha256");
  for (const table of proofTableNames) hash.update(await formatProofTable(table, rows[table]));
  return hash.digest("hex");
}

/** Formats rows as a CSV that `parseProofTable` reads back without loss. Null is an empty field. */
export async function formatProofTable(table: ProofTable, rows: readonly ProofRow[]): Promise<string> {
  const columns = listProofColumns(table);
  let text = `${columns.map(({ name }) => name).join(",")}\r\n`;
  for await (const row of inTurns(rows))
    text += `${columns.map((column) => formatField(row[column.name] ?? null, column)).join(",")}\r\n`;
  return text;
}

function formatField(value: ReportValue, { type }: ReportColumn): string {
  if (value === null) return "";
  if (type !== "text") return String(value);
  // Text that already begins with an apostrophe gets another, so that the one that disarms formulas can be removed.
  return formatTextField(String(value).replace(/^'/, "''"), (text) => text);
}

/** @throws {VenueError} `PROOF_FILE` if the text is not such a CSV */
export function parseProofTable(table: ProofTable, text: string): ProofRow[] {
  const columns = listProofColumns(table);
  const names = columns.map(({ name }) => name).join();
  const unreadable = (cause?: unknown) =>
    proofFileError(`its rows (${table}) are not the expected CSV`, { cause });
  let lines: (string | null)[][];
  try {
    lines = parse(text, {
      record_delimiter: "\r\n",
      cast: (field, { quoting }) => (field === "" && !quoting ? null : field),
    });
  } catch (cause) {
    throw unreadable(cause);
  }
  if (lines[0]?.join() !== names) throw unreadable();
  return lines
    .slice(1)
    .map((fields) =>
      Object.fromEntries(columns.map((column, at) => [column.name, parseField(fields[at] ?? null, column)])),
    );
}

/** Returns the value of a CSV field. Text that is not a value of its type stays text, and so differs from every value. */
export function parseField(field: string | null, { type }: ReportColumn): ReportValue {
  if (field === null) return null;
  if (type === "text") return field.replace(/^'/, "");
  if (type === "boolean" && (field === "true" || field === "false")) return field === "true";
  if ((type === "integer" || type === "number") && String(Number(field)) === field) return Number(field);
  return field;
}

/** @param finding follows the file's name in the message */
export function proofFileError(finding: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "PROOF_FILE",
    "usage",
    `The file is not a readable proof: ${finding}. Name a file that \`venue proof\` wrote.`,
    options,
  );
}
