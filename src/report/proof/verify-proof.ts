import { versionNumber } from "../../mart/published-versions.ts";
import { resolveChosen } from "../options/find-chosen.ts";
import { parseReportOptions } from "../options/parse-report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { withOutdatedErrors } from "../published/run-state.ts";
import type { ReportValue } from "../report.ts";
import { type ProofDocument, type ProofSource, readProofRows, readProofSource } from "./build-proof.ts";
import { type ProofRow, type ProofTable, proofKeys, proofTableNames } from "./proof-tables.ts";

/** A row that differs between a proof and the published data. */
interface RowDifference {
  table: ProofTable;
  /** The row, for readers. */
  subject: string;
  change: RowChange;
  /** E.g. `state missed → compliant`. */
  changes: readonly string[];
}

/**
 * - `restated`: the day was settled, and a later version restated its figures
 * - `settled`: the day was pending or not covered completely when the proof was written
 * - `renamed`: only names or addresses differ
 */
export type RowChange = "restated" | "settled" | "renamed" | "other";

export interface Recomputed {
  /** The version that the rows were recomputed from. */
  version: string;
  /** True if it is the version that the proof names. */
  isNamed: boolean;
  /** Why the data cannot be what the proof was made from; `undefined` if nothing speaks against it. */
  otherDatabase: string | undefined;
  /** How the stated age of the data differs from that of the named version, which is not a finding: see `agesOfShares`. */
  otherAge?: string | undefined;
  /** Number of rows of the proof. */
  rows: number;
  differences: readonly RowDifference[];
}

/** Recomputes the rows of a proof from a published version, and compares them. */
export async function verifyProof(published: PublishedMart, document: ProofDocument): Promise<Recomputed> {
  const mart = withOutdatedErrors(published);
  const { source, scope, rows } = document;
  const isNamed = mart.version === source.version;
  const now = await readProofRows(mart, scope);
  const restated = isNamed ? new Set<string>() : await listRestated(mart, document);
  const states = new Map(rows.days.map((row) => [nameDay(row), row.state]));
  const judge = (table: ProofTable, row: ProofRow, columns: readonly string[]): RowChange => {
    if (isNamed) return "other";
    if (columns.every((column) => isName(table, column))) return "renamed";
    if (table !== "days" && table !== "plays") return "other";
    if (states.get(nameDay(row)) === "pending") return "settled";
    if (source.completeTo !== null && String(row.date) > source.completeTo) return "settled";
    return restated.has(`${row.kind} ${row.date}`) ? "restated" : "other";
  };
  return {
    version: mart.version,
    isNamed,
    ...(isNamed ? await compareSource(mart, document) : { otherDatabase: findNewerVersion(mart, document) }),
    rows: proofTableNames.reduce((count, table) => count + rows[table].length, 0),
    differences: proofTableNames.flatMap((table) => compareTables(table, rows[table], now[table], judge)),
  };
}

function findNewerVersion({ version }: PublishedMart, { source }: ProofDocument): string | undefined {
  return versionNumber(source.version) > versionNumber(version)
    ? `the newest version here is ${version}, older than ${source.version}`
    : undefined;
}

const sourceLabels: Readonly<Record<keyof Omit<ProofSource, "version">, string>> = {
  builtAt: "build time",
  slotMinutes: "minutes per due time",
  dataAsOf: "data as of",
  completeFrom: "first day",
  completeTo: "last complete day",
  missingSources: "sources without complete data",
};
/** Fields that a proof written for a share may have by the share's own zones and campaigns. */
const agesOfShares: readonly string[] = ["dataAsOf", "completeFrom", "completeTo", "missingSources"];

/** Compares what a proof states about its version, which must be the one that is open. */
async function compareSource(
  mart: PublishedMart,
  { source, scope: { kinds, period } }: ProofDocument,
): Promise<Pick<Recomputed, "otherDatabase" | "otherAge">> {
  const request = parseReportOptions({ report: "compliance", ...period, kind: kinds });
  const { source: here } = await readProofSource(mart, await resolveChosen(mart, request), new Date(0));
  const fields = Object.keys(sourceLabels) as (keyof typeof sourceLabels)[];
  const differing = fields.filter((name) => here[name] !== source[name]);
  const describe = (field: (typeof fields)[number] | undefined) =>
    field &&
    `${mart.version} has ${sourceLabels[field]} ${here[field] ?? "none"} here, and ${source[field] ?? "none"} according to the proof`;
  return {
    otherDatabase: describe(differing.find((name) => !agesOfShares.includes(name))),
    otherAge: describe(differing.find((name) => agesOfShares.includes(name))),
  };
}

/** Returns the kinds and dates that later versions restated, e.g. `signage 2026-11-03`. */
async function listRestated(mart: PublishedMart, { source, scope }: ProofDocument): Promise<Set<string>> {
  const found = await mart.all<{ version: string; kind: string; date: string }>(
    "select version, kind, date from fact_restatement where date between cast(? as date) and cast(? as date)",
    [scope.period.from, scope.period.to],
  );
  return new Set(
    found
      .filter(({ version }) => versionNumber(version) > versionNumber(source.version))
      .map(({ kind, date }) => `${kind} ${date}`),
  );
}

function compareTables(
  table: ProofTable,
  before: readonly ProofRow[],
  now: readonly ProofRow[],
  judge: (table: ProofTable, row: ProofRow, columns: readonly string[]) => RowChange,
): RowDifference[] {
  const keyOf = (row: ProofRow) => proofKeys[table].map((column) => String(row[column])).join(" ");
  const rest = new Map(now.map((row) => [keyOf(row), row]));
  const differences: RowDifference[] = [];
  const add = (row: ProofRow, columns: readonly string[], changes: readonly string[]) =>
    differences.push({
      table,
      subject: describeRow(table, row),
      change: judge(table, row, columns),
      changes,
    });
  for (const row of before) {
    const other = rest.get(keyOf(row));
    rest.delete(keyOf(row));
    if (!other) {
      add(row, ["row"], ["row → none"]);
      continue;
    }
    const columns = Object.keys(other).filter((column) => other[column] !== row[column]);
    if (columns.length === 0) continue;
    add(
      row,
      columns,
      columns.map((column) => `${column} ${show(row[column])} → ${show(other[column])}`),
    );
  }
  for (const row of rest.values()) add(row, ["row"], [`none → ${summarizeRow(table, row)}`]);
  return differences;
}

function summarizeRow(table: ProofTable, row: ProofRow): string {
  if (table === "days") return `state ${row.state}, candidate_plays ${row.candidate_plays}`;
  return table === "plays" ? `candidate_plays ${row.candidate_plays}` : "row";
}

function describeRow(table: ProofTable, row: ProofRow): string {
  const campaign = `${row.campaign_name} (${row.kind} ${row.campaign_id})`;
  const zone = `${row.zone_name} (${row.zone_id})`;
  if (table === "campaigns") return campaign;
  if (table === "venues") return zone;
  const asset = table === "plays" ? [`${row.item_name} (${row.item_id})`] : [];
  return [row.date, zone, campaign, ...asset].join(" · ");
}

function isName(table: ProofTable, column: string): boolean {
  return table === "venues" ? column !== "row" : column.endsWith("_name");
}

function nameDay(row: ProofRow): string {
  return proofKeys.days.map((column) => String(row[column])).join(" ");
}

function show(value: ReportValue | undefined): string {
  return value === null || value === undefined ? "blank" : String(value);
}
