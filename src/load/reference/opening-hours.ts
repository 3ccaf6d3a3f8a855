import type { LineMistake, ReferenceRow } from "./reference-file.ts";

const daySeconds = 86_400;
const weekSeconds = 7 * daySeconds;

export const checkOpeningHours = {
  findMistake({ values }: ReferenceRow): readonly [value: string, accepted: string] | undefined {
    const { day_of_week: day = "", opens = "", closes = "" } = values;
    if (!/^[1-7]$/.test(day)) return [day, "a day_of_week from 1 (Monday) to 7 (Sunday)"];
    if (findSeconds(opens) === undefined) return [opens, "opens as HH:MM, from 00:00 to 23:59"];
    if (findClosing(closes) === undefined) return [closes, "closes as HH:MM, from 00:00 to 24:00"];
    return undefined;
  },

  /**
   * Finds overlapping hours of a zone. Treats the week as circular, because hours on Sunday night may run
   * into Monday.
   */
  findContradictions(rows: readonly ReferenceRow[]): LineMistake[] {
    const byZone = new Map<number, OpenSpan[]>();
    for (const row of rows) {
      const zoneId = Number(row.values.zone_id);
      byZone.set(zoneId, [...(byZone.get(zoneId) ?? []), toSpan(row)]);
    }
    return [...byZone.values()].flatMap(findOverlaps).sort((a, b) => a.lineNumber - b.lineNumber);
  },
};

/**
 * Returns times in seconds since the midnight before opening. A closing time at or before the opening time
 * belongs to the next day.
 */
export function readOpeningHours({ values: { day_of_week, opens = "", closes = "" } }: ReferenceRow): {
  day_of_week: number;
  opens_secs: number;
  closes_secs: number;
} {
  const opensSecs = findSeconds(opens) ?? 0;
  const closesSecs = findClosing(closes) ?? 0;
  return {
    day_of_week: Number(day_of_week),
    opens_secs: opensSecs,
    closes_secs: toClosing(opensSecs, closesSecs),
  };
}

/** Moves a closing time at or before the opening time to the next day. */
export function toClosing(opensSecs: number, closesSecs: number): number {
  return closesSecs > opensSecs ? closesSecs : closesSecs + daySeconds;
}

interface OpenSpan {
  row: ReferenceRow;
  /** Seconds since the start of the Sunday before the week. */
  from: number;
  until: number;
}

function toSpan(row: ReferenceRow): OpenSpan {
  const { day_of_week: day, opens_secs: opens, closes_secs: closes } = readOpeningHours(row);
  const midnight = day * daySeconds;
  return { row, from: midnight + opens, until: midnight + closes };
}

function findOverlaps(spans: readonly OpenSpan[]): LineMistake[] {
  const ordered = [...spans].sort((a, b) => a.from - b.from);
  const [first] = ordered;
  return ordered.flatMap((span, index) => {
    const next = ordered[index + 1] ?? (first && { ...first, from: first.from + weekSeconds });
    if (!next || span.until <= next.from) return [];
    const [other, later] =
      span.row.lineNumber < next.row.lineNumber ? [span.row, next.row] : [next.row, span.row];
    return [
      {
        lineNumber: later.lineNumber,
        value: Object.values(later.values).join(),
        accepted: `hours that do not overlap those of line ${other.lineNumber}`,
      },
    ];
  });
}

export function findClosing(text: string): number | undefined {
  return /^24:00(:00)?$/.test(text) ? daySeconds : findSeconds(text);
}

/** Parses a time of day. Also accepts 9:00 and 09:00:00, because spreadsheets may save 09:00 in those forms. */
export function findSeconds(text: string): number | undefined {
  const time = /^([01]?\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(text);
  return time ? Number(time[1]) * 3600 + Number(time[2]) * 60 : undefined;
}
