import type { Engine } from "../../engines/engine.ts";
import { readSql } from "../../util/files/package-files.ts";

/** A zone or group of which several machines' reference files say different things. */
export interface ReferenceConflict {
  /** E.g. `zone_time_zones.csv`. */
  file: string;
  /** Of the zone; in `group_names.csv` of the group. */
  id: number;
  /** What each machine's file says, by machine. */
  said: Record<string, string>;
}

/** By file and id. The machine counts whose file was applied last. */
export async function findConflicts(engine: Engine): Promise<ReferenceConflict[]> {
  const rows = await engine.all<{ file: string; id: number; machine: string; said: string }>(
    readSql("build/lake/reference_conflicts.sql"),
  );
  const conflicts = new Map<string, ReferenceConflict>();
  for (const { file, id, machine, said } of rows) {
    const conflict = conflicts.get(`${file} ${id}`) ?? { file, id, said: {} };
    conflict.said[machine] = [conflict.said[machine], said].filter(Boolean).join(", ");
    conflicts.set(`${file} ${id}`, conflict);
  }
  return [...conflicts.values()];
}
