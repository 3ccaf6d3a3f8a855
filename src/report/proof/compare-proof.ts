import { parse } from "csv-parse/sync";
import type { PublishedMart } from "../published/published-mart.ts";
import { withOutdatedErrors } from "../published/run-state.ts";
import type { ColumnType } from "../result-types.ts";
import { formatInstant } from "../text/cell-text.ts";
import { readProofRows } from "./build-proof.ts";
import type { ProofFrame } from "./check-proof.ts";
import { listProofColumns, listProofTables, nameRows, type ProofTable } from "./proof-tables.ts";

/**
 * - `settled`: the day was pending or not covered completely when the proof was made, or plays still arrive
 * - `renamed`: only names or addresses differ
 * - `restated`: everything else
 */
export type RowChange = "restated" | "settled" | "renamed";

/** Values of a row as texts by column: dates as YYYY-MM-DD, missing values as empty. */
type Texts = Readonly<Record<string, string>>;

/** A row that differs between a proof and the published data. */
export interface RowDifference {
  table: ProofTable;
  change: RowChange;
  /** As in the proof, and now; `undefined` if it is missing there. */
  before: Texts | undefined;
  now: Texts | undefined;
  /** Columns that differ. */
  columns: readonly string[];
}

/** Compares the rows of a signed proof with the data that is published now. */
export async function compareProof(
  published: PublishedMart,
  bytes: Buffer,
  { scope, source: { completeTo } }: ProofFrame,
): Promise<{ rows: number; differences: RowDifference[] }> {
  const linesOf = bytes.toString("latin1", 0, 2) === "PK" ? await readSheets(bytes) : readFiles(bytes);
  const rows = await readProofRows(withOutdatedErrors(published), scope);
  const open = new Set<string>();
  const differences: RowDifference[] = [];
  let count = 0;
  // Days come before plays.
  for (const [table, { key }] of listProofTables(scope)) {
    const keyOf = (row: Texts) => key.map((name) => row[name]).join(" ");
    const names = listProofColumns(table).map(({ name }) => name);
    const before = linesOf(table)
      .slice(1)
      .map((line): Texts => Object.fromEntries(names.map((name, at) => [name, line[at] ?? ""])));
    count += before.length;
    const now = rows[table].map(
      (row): Texts => Object.fromEntries(names.map((name) => [name, disarm(String(row[name] ?? ""))])),
    );
    const pairs = new Map(before.map((row) => [keyOf(row), { before: row } as Partial<RowDifference>]));
    for (const row of now) pairs.set(keyOf(row), { ...pairs.get(keyOf(row)), now: row });
    for (const { before, now } of pairs.values()) {
      const columns = names.filter((name) => before?.[name] !== now?.[name]);
      const row = before ?? now ?? {};
      const day = `${row.kind} ${row.campaign_id} ${row.zone_id} ${row.date ?? row.started_at}`;
      const until = row.date ?? (scope.agreement ? scope.period.to : "");
      if (row.state === "pending" || row.is_open === "true" || until > (completeTo ?? "")) open.add(day);
      const isName = (name: string) => (table === "venues" ? name !== "zone_id" : name.endsWith("_name"));
      const isOpen = table === "bookings" || open.has(day);
      const change = columns.every(isName) ? "renamed" : isOpen ? "settled" : "restated";
      if (columns.length > 0) differences.push({ table, change, before, now, columns });
    }
  }
  return { rows: count, differences };
}

/** Removes the apostrophe that prevents a CSV text from being read as a formula. */
function disarm(field: string): string {
  return field.replace(/^'/, "");
}

type Lines = (table: ProofTable) => string[][];

function readFiles(page: Buffer): Lines {
  return (table) => {
    const start = `<a download="${nameRows(table, "file")}" href="data:text/csv;base64,`;
    const from = page.indexOf(start) + start.length;
    const data = page.toString("latin1", from, page.indexOf('"', from));
    return parse(Buffer.from(data, "base64"), { record_delimiter: "\r\n", cast: disarm });
  };
}

async function readSheets(bytes: Buffer): Promise<Lines> {
  const { readXlsx } = await import("hucre/xlsx");
  const { sheets } = await readXlsx(bytes);
  const textOf = (cell: unknown, type?: ColumnType) => {
    if (!(cell instanceof Date)) return String(cell ?? "");
    return type === "instant" ? formatInstant(cell.toISOString()) : cell.toISOString().slice(0, 10);
  };
  return (table) =>
    (sheets.find(({ name }) => name === nameRows(table, "sheet"))?.rows ?? []).map((row) =>
      row.map((cell, at) => disarm(textOf(cell, listProofColumns(table)[at]?.type))),
    );
}
