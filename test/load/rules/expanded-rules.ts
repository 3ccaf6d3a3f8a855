import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A generated rule, and the dates that python-dateutil finds (expand_with_dateutil.py). */
export interface ExpandedRule {
  rule: string;
  startDate?: string;
  addDate?: string;
  from: string;
  to: string;
  /** Of the clock that UNTIL, where it is an instant, is looked at by. @default 0 */
  offsetMinutes?: number;
  dates: string[];
  /** Of a rule that names times of day: how many the first and the last date have, and a fingerprint of them. */
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

/** `2026-01-05 7x3 14`: a date, then the days from one to the next. */
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
