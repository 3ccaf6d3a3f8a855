import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A generated rule, with the dates from python-dateutil (expand_with_dateutil.py). */
export interface ExpandedRule {
  rule: string;
  startDate?: string;
  addDate?: string;
  from: string;
  to: string;
  /** Offset of the clock that reads UNTIL if it is an instant. @default 0 */
  offsetMinutes?: number;
  dates: string[];
  /** If the rule names times of day: the number of times on the first and last date, and a fingerprint. */
  times?: [first: string, last: string];
}

export function readExpandedRules(): ExpandedRule[] {
  const path = fileURLToPath(new URL("expanded-rules.jsonl", import.meta.url));
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map((record) => ({ ...record, dates: lengthen(record.dates) }));
}

/** Expands `2026-01-05 7x3 14`: a date, then the days from one to the next. */
function lengthen(text: string): string[] {
  const [first = "", ...runs] = text.split(" ");
  if (first === "") return [];
  const gaps = runs.flatMap((run) => {
    const [gap, times = 1] = run.split("x").map(Number);
    return Array.from({ length: times }, () => gap ?? Number.NaN);
  });
  const dates = [first];
  let day = Date.parse(first) / 86_400_000;
  for (const gap of gaps) {
    day += gap;
    dates.push(new Date(day * 86_400_000).toISOString().slice(0, 10));
  }
  return dates;
}
