import type { WalkRecord } from "../../../src/extract/walk/walk-record.ts";

const startsAt = "abcdefghijklmnop";

/**
 * Records named by letters that began one after the other; digits tell apart those that began at one instant, and those
 * that begin with a question mark tell none.
 */
export function namedRecords(names: string): WalkRecord[] {
  return names
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => ({
      identity: name,
      line: name,
      hash: [...name].reduce((hash, letter) => hash * 1000 + letter.charCodeAt(0), 0),
      instantMs: name.startsWith("?") ? Number.NaN : startsAt.indexOf(name.charAt(0)),
    }));
}
