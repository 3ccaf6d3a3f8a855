import type { WalkRecord } from "../../../src/extract/walk/walk-record.ts";

const startsAt = "abcdefghijklmnop";

/**
 * Records named by letters, one after the other. Digits distinguish records of one instant; a leading
 * question mark means an unknown instant.
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
