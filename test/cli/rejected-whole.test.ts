import { expect, it } from "vitest";
import { findRejectedWhole, loadsExitCode } from "../../src/cli/results/describe-load.ts";
import type { LoadResult } from "../../src/load/history/load-history.ts";

function loadOf(changes: Partial<LoadResult>): LoadResult {
  const { lines = 1, rejected = 0 } = changes;
  return {
    ...{ loadId: 1, landingId: "1", source: "walk", kind: "music", groupId: null, zoneId: 1, bytes: 1 },
    ...{ newPlays: lines - rejected, changed: 0, unchanged: 0, duplicate: 0, blank: 0, zeroSecond: 0 },
    ...{ vanished: 0, isRepeat: false, lines, rejected },
    ...changes,
  };
}

const broken = loadOf({ loadId: 2, zoneId: 2, rejected: 1 });

it("a walk that brings one broken line is no finding where others of its kind bring plays", () => {
  expect(loadsExitCode([loadOf({ lines: 5 }), broken])).toBe(0);
});

it.each([
  ["other walks bring nothing", loadOf({ lines: 0 })],
  ["walks of another kind alone bring plays", loadOf({ lines: 5, kind: "signage" })],
  ["an export alone brings plays", loadOf({ lines: 5, source: "export" })],
])("it is one where %s", (_, other) => {
  expect(findRejectedWhole([other, broken])).toEqual([broken]);
  expect(loadsExitCode([other, broken])).toBe(1);
});

it("a file of which no line is of use is one, whatever other files hold, unless it is blank", () => {
  const file = { source: "file", zoneId: null } as const;
  const useless = loadOf({ ...file, lines: 3, blank: 1, newPlays: 0, rejected: 2 });
  const blank = loadOf({ ...file, lines: 2, blank: 2, newPlays: 0 });
  expect(findRejectedWhole([loadOf({ ...file, lines: 5 }), useless, blank])).toEqual([useless]);
});
