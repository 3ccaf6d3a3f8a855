import { kinds } from "../../util/kind.ts";
import type { LineMistake, ReferenceRow } from "./reference-file.ts";
import { findDateMistake, findOverlaps, readDates } from "./valid-dates.ts";

export const checkZoneKinds = {
  findMistake(row: ReferenceRow): readonly [value: string, accepted: string] | undefined {
    const { kind = "" } = row.values;
    if (!kinds.some((known) => known === kind)) return [kind, `a kind: ${kinds.join(", ")}`];
    return findDateMistake(row);
  },

  /** Finds overlapping dates of one zone and kind. */
  findContradictions(rows: readonly ReferenceRow[]): LineMistake[] {
    return findOverlaps(
      rows.map((row) => {
        const { zone_id: zoneId, kind = "" } = row.values;
        const of = `${Number(zoneId)} ${kind}`;
        return { lineNumber: row.lineNumber, of, text: of, ...readDates(row) };
      }),
    );
  },
};
