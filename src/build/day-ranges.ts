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
  const days = [...new Set(dates)].map(toDayNumber).sort((a, b) => a - b);
  for (let gap = worthParting; ; gap *= 2) {
    const ranges = joinDays(days, gap + 2 * reachDays);
    if (ranges.length <= maxRanges) {
      return ranges.map(([from, to]) => ({ from: toDate(from - reachDays), to: toDate(to + reachDays) }));
    }
  }
}

function joinDays(days: readonly number[], maxGap: number): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last && day - last[1] <= maxGap) last[1] = day;
    else ranges.push([day, day]);
  }
  return ranges;
}

/** A local date some days later, or earlier where `days` is negative. */
export function addDays(date: string, days: number): string {
  return toDate(toDayNumber(date) + days);
}

const millisecondsPerDay = 86_400_000;

function toDayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / millisecondsPerDay;
}

function toDate(day: number): string {
  return new Date(day * millisecondsPerDay).toISOString().slice(0, 10);
}
