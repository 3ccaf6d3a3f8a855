import { join } from "node:path";

/** Where a lake holds what its machines published. Paths that manifests name are relative to the lake. */

/** Holds the manifests. */
export function machinesFolder(lake: string): string {
  return join(lake, "machines");
}

/** The manifest of a machine: what it names is whole. */
export function manifestFile(lake: string, machine: string): string {
  return join(machinesFolder(lake), `${machine}.json`);
}

/** What a machine published of a table, relative to the lake. */
export function machineFolder(table: string, machine: string): string {
  return `core/${table}/machine=${machine}`;
}

/**
 * A file, relative to the lake.
 * @param month `YYYY-MM`, of a table that has a file per month
 * @param version names what the file holds: a file is never replaced by one with other rows
 */
export function dataFile(file: {
  table: string;
  machine: string;
  month?: string | undefined;
  version: string;
}): string {
  const { table, machine, month, version } = file;
  const folder = machineFolder(table, machine);
  return `${folder}/${month === undefined ? "" : `month=${month}/`}${version}/data.parquet`;
}
