import { inTurns } from "../../util/in-turns.ts";
import { availabilityTables } from "../catalog/availability.ts";
import { type ProofTableForm, proofTables } from "../catalog/proof.ts";
import { listColumns, listGroupingColumns } from "../columns/list-columns.ts";
import type { ReportColumn, ReportRow, ReportValue } from "../result-types.ts";

const tables = { ...proofTables, ...availabilityTables };
export type ProofTable = keyof typeof tables;
export type ProofRow = Readonly<Record<string, ReportValue>>;
export type ProofRows = Readonly<Record<ProofTable, readonly ProofRow[]>>;

/** Rows of a document before any are read; tables of the other kind of proof stay empty. */
export function createRows(): Record<ProofTable, ProofRow[]> {
  return Object.fromEntries(Object.keys(tables).map((table) => [table, []])) as never;
}

/** The tables with the underlying rows of a proof of play, or of an availability statement. */
export function listProofTables({ agreement }: { agreement?: object }): [ProofTable, ProofTableForm][] {
  return Object.entries(agreement ? availabilityTables : proofTables) as [ProofTable, ProofTableForm][];
}

export function listProofColumns(table: ProofTable): ReportColumn[] {
  const { rows, by = [], measures }: ProofTableForm = tables[table];
  const grouping = listGroupingColumns(rows, by);
  return listColumns(rows, by).filter(
    ({ name }) => measures === undefined || [...grouping, ...measures].includes(name),
  );
}

/** Returns a table as a report: its columns, and their values in each row. */
export function showTable(rows: ProofRows, table: ProofTable) {
  const columns = listProofColumns(table);
  async function* listRows(): AsyncIterableIterator<ReportRow> {
    for await (const row of inTurns(rows[table])) yield columns.map(({ name }) => row[name] ?? null);
  }
  return { columns, rows: listRows() };
}

/** Returns the name of a table's sheet, or of its file on a page. */
export function nameRows(table: ProofTable, format: "sheet" | "file"): string {
  return format === "sheet" ? `rows ${table}` : `proof-${table}.csv`;
}
