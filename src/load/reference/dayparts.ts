import { findClosing, findSeconds, toClosing } from "./opening-hours.ts";
import type { LineMistake, ReferenceRow } from "./reference-file.ts";

const daySeconds = 86_400;

export const checkDayparts = {
  findMistake({ values }: ReferenceRow): readonly [value: string, accepted: string] | undefined {
    const { name = "", from = "", to = "" } = values;
    if (name === "" || name === "(none)") return [name, "a name, other than (none)"];
    if (findSeconds(from) === undefined) return [from, "from as HH:MM, from 00:00 to 23:59"];
    if (findClosing(to) === undefined) return [to, "to as HH:MM, from 00:00 to 24:00"];
    return undefined;
  },

  /** Finds repeated names and overlaps. The day is circular, because a night may extend into the morning. */
  findContradictions(rows: readonly ReferenceRow[]): LineMistake[] {
    return rows.flatMap((row, index) =>
      rows.slice(0, index).flatMap((earlier): LineMistake[] => {
        const { lineNumber, values } = row;
        const { name = "" } = values;
        if (name.toLowerCase() === earlier.values.name?.toLowerCase())
          return [{ lineNumber, value: name, accepted: `each name once; line ${earlier.lineNumber} has it` }];
        if (!isOverlapping(row, earlier)) return [];
        const accepted = `times that do not overlap those of line ${earlier.lineNumber}`;
        return [{ lineNumber, value: Object.values(values).join(), accepted }];
      }),
    );
  },
};

/** Returns seconds since midnight of the day on which it starts. An end at or before the start is on the next day. */
export function readDaypart({ values: { name: value = "", from = "", to = "" } }: ReferenceRow) {
  const opensSecs = findSeconds(from) ?? 0;
  return { value, opens_secs: opensSecs, closes_secs: toClosing(opensSecs, findClosing(to) ?? 0) };
}

function isOverlapping(one: ReferenceRow, other: ReferenceRow): boolean {
  const [a, b] = [readDaypart(one), readDaypart(other)];
  return [-daySeconds, 0, daySeconds].some(
    (shift) => a.opens_secs < b.closes_secs + shift && b.opens_secs + shift < a.closes_secs,
  );
}
