import { addDays, daysFrom } from "../util/local-date.ts";

/** A kind and local date (`YYYY-MM-DD`) whose rows are to be built again. */
export interface KindDay {
  kind: string;
  date: string;
}

/** Local dates, both inclusive. */
export interface DayRange {
  from: string;
  to: string;
}

/** Fewer clean days than this between two dirty ones cost less than a range more: each reads its sources anew. */
const worthParting = 4;
/** More than this many ranges cost more than the clean days between them. */
const maxRanges = 12;

/**
 * The few ranges that hold all of these dates, each widened by the reach on both sides. Clean days between
 * dirty ones may be among them: building them again changes nothing.
 */
export function dayRanges(dates: Iterable<string>, reachDays = 0): DayRange[] {
  const days = [...new Set(dates)].sort();
  for (let gap = worthParting; ; gap *= 2) {
    const ranges = joinDays(days, gap + 2 * reachDays);
    if (ranges.length <= maxRanges) {
      return ranges.map(({ from, to }) => ({ from: addDays(from, -reachDays), to: addDays(to, reachDays) }));
    }
  }
}

function joinDays(days: readonly string[], maxGap: number): DayRange[] {
  const ranges: DayRange[] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last && daysFrom(last.to, day) <= maxGap) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}
