import type { LakeColumn } from "./lake-column.ts";
import { LakeTooOldError } from "./lake-errors.ts";
import type { MachineManifest } from "./machine-manifest.ts";

/**
 * The columns of a table over all machines: one that has a newer version may have columns more.
 * @param lake as errors name it
 * @throws {LakeTooOldError} when no machine has published the table
 */
export function unionColumns(
  lake: string,
  table: string,
  machines: readonly MachineManifest[],
): LakeColumn[] {
  const columns = new Map<string, LakeColumn>();
  for (const column of machines.flatMap(({ tables }) => tables[table]?.columns ?? [])) {
    if (!columns.has(column.name)) columns.set(column.name, column);
  }
  if (columns.size === 0) throw new LakeTooOldError(lake, table);
  return [...columns.values()];
}
