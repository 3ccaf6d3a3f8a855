import { type ColumnDefinition, describeColumns } from "../../mart/column-definition.ts";
import type { Manifest, ManifestColumn } from "../../mart/manifest.ts";
import type { Model } from "../../mart/model.ts";
import { listReads } from "../../report/catalog/list-reads.ts";

/** `dictionary.json`: definitions, sources and readers for every table and column in a version. */
export interface DataDictionary {
  version: string;
  tables: DictionaryTable[];
  /** Intermediate tables between `core` and the mart, with their sources. */
  steps: DictionaryStep[];
  /** The user's reports and checks, as of the publish. */
  own: CustomReader[];
}

/** A report or check from a user's file. */
export interface CustomReader {
  kind: "report" | "check";
  name: string;
  /** E.g. `own/reports/repeats.sql`. */
  file: string;
  title: string;
  description: string;
  /** Columns that its header defines; others are those of the tables. */
  columns: readonly ColumnDefinition[];
  /** Tables of the mart. */
  reads: string[];
}

export interface DictionaryTable {
  name: string;
  /** Definition of one row. */
  description: string;
  /** Columns that are unique together. */
  grain: string[];
  columns: DictionaryColumn[];
  /** Sources, as `schema.table`. */
  reads: string[];
  /** Tables of the mart that read this table, directly or through intermediate tables. */
  read_by: string[];
  reports: string[];
}

/** `description` combines the definition and the note. */
export type DictionaryColumn = ManifestColumn & Omit<ColumnDefinition, "name">;

interface DictionaryStep {
  /** `schema.table` */
  name: string;
  /** Definition of one row. */
  description: string;
  reads: string[];
}

/** Combines the headers of models and reports with the published types. */
export function describeMart(
  models: readonly Model[],
  manifest: Manifest,
  own: readonly CustomReader[] = [],
): DataDictionary {
  const tables = models.filter(({ schema }) => schema === "mart");
  const steps = models.filter(({ schema }) => schema !== "mart");
  const madeFrom = tables.map(({ table, reads }) => ({ table, origins: findOrigins(reads, steps) }));
  const reports = groupReportsByTable(steps);
  return {
    version: manifest.version,
    tables: tables.map(({ name, table, summary, grain, reads }) => ({
      name: table,
      description: summary,
      grain,
      columns: describePublishedColumns(table, manifest),
      reads,
      read_by: madeFrom.flatMap((other) => (other.origins.has(name) ? [other.table] : [])),
      reports: [...(reports.get(table) ?? [])].sort(),
    })),
    steps: steps.map(({ name, summary, reads }) => ({ name, description: summary, reads })),
    own: own.map(({ reads, ...reader }) => ({
      ...reader,
      reads: reads.filter((name) => tables.some(({ table }) => table === name)),
    })),
  };
}

function describePublishedColumns(table: string, manifest: Manifest): DictionaryColumn[] {
  const definitions = new Map(describeColumns(table).map((column) => [column.name, column]));
  return (manifest.tables[table]?.columns ?? []).flatMap((column) => {
    const definition = definitions.get(column.name);
    return definition ? [{ ...column, ...definition }] : [];
  });
}

/**
 * Returns the tables in the mart and in `core` from which these tables are made, through all intermediate
 * tables.
 */
function findOrigins(reads: readonly string[], steps: readonly Model[]): Set<string> {
  const origins = new Set<string>();
  for (const name of reads) {
    const step = steps.find((model) => model.name === name);
    if (!step) origins.add(name);
    else for (const origin of findOrigins(step.reads, steps)) origins.add(origin);
  }
  return origins;
}

/**
 * Lists the reports that read each table, directly or through intermediate tables; keyed by table.
 */
function groupReportsByTable(steps: readonly Model[]): Map<string, Set<string>> {
  const byTable = new Map<string, Set<string>>();
  for (const { reads, report } of listReads()) {
    for (const table of [...findOrigins(reads, steps)].map((name) => name.replace(/^mart\./, "")))
      byTable.set(table, (byTable.get(table) ?? new Set()).add(report));
  }
  return byTable;
}
