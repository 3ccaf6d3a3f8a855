import { firstDate, isLocalDate, lastDate } from "../../util/local-date.ts";
import type { LineMistake, ReferenceRow } from "./reference-file.ts";

/**
 * Columns with the local dates on which a line applies, both inclusive. If a value is empty, there is no start or no
 * end. Other programs write a date such as 9999-12-31 for no end.
 */
export const dateColumns = ["valid_from", "valid_to"] as const;

/** Local dates, inclusive. */
interface ValidDates {
  valid_from: string;
  valid_to: string;
}

export function readDates({
  values: { valid_from: from = "", valid_to: to = "" },
}: ReferenceRow): ValidDates {
  return { valid_from: from === "" ? firstDate : from, valid_to: hasEnd(to) ? to : lastDate };
}

export function hasEnd(validTo: string): boolean {
  return validTo !== "" && validTo < lastDate;
}

/** Returns the invalid value and the accepted form. */
export function findDateMistake({
  values,
}: ReferenceRow): readonly [value: string, accepted: string] | undefined {
  const { valid_from: from = "", valid_to: to = "" } = values;
  for (const column of dateColumns) {
    const date = values[column] ?? "";
    const isLate = column === "valid_from" && date > lastDate;
    if (date !== "" && (!isLocalDate(date) || date < firstDate || isLate))
      return [
        date,
        `${column} as YYYY-MM-DD (in a workbook, as a date), from ${firstDate} to ${lastDate}, or empty`,
      ];
  }
  if (from !== "" && to !== "" && from > to) return [`${from} to ${to}`, "valid_from up to valid_to"];
  return undefined;
}

interface DatedLine extends ValidDates {
  lineNumber: number;
  /** The same for all lines of one entity, whose dates must not overlap. */
  of: string;
  /** The line as shown in messages. */
  text: string;
}

/** Finds overlapping ranges of one entity, and reports the later line. */
export function findOverlaps(lines: readonly DatedLine[]): LineMistake[] {
  const mistakes = new Map<number, LineMistake>();
  const ordered = [...lines].sort(
    (a, b) =>
      a.of.localeCompare(b.of) || a.valid_from.localeCompare(b.valid_from) || a.lineNumber - b.lineNumber,
  );
  ordered.forEach((line, index) => {
    const before = ordered[index - 1];
    if (before?.of !== line.of || line.valid_from > before.valid_to) return;
    const [first, later] = before.lineNumber < line.lineNumber ? [before, line] : [line, before];
    mistakes.set(later.lineNumber, {
      lineNumber: later.lineNumber,
      value: later.text,
      accepted: `dates that do not overlap those of line ${first.lineNumber}, or only one of the two lines`,
    });
  });
  return [...mistakes.values()].sort((a, b) => a.lineNumber - b.lineNumber);
}
