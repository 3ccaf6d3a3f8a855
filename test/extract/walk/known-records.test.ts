import { describe, expect, it } from "vitest";
import { isUnchanged, newRecords, placeRecords, renewedMarks } from "../../../src/extract/walk/walk-join.ts";
import { beginWalk, type WalkProgress } from "../../../src/extract/walk/walk-progress.ts";
import type { SeenOrder } from "../../../src/extract/walk/walk-record.ts";
import { knownZone } from "./known-zone.ts";
import { hashesOf, namedRecords } from "./named-records.ts";

const namesOf = (records: readonly { line: string }[] | undefined) =>
  records?.map(({ line }) => line).join(" ");

it.each<[SeenOrder, boolean, number, string | undefined]>([
  ["oldest", true, 4, "4: a b c"],
  ["oldest", false, 4, "4: a b c"],
  ["newest", true, 4, "3: c b a"],
  ["newest", true, 7, "0: c b a"],
  ["newest", true, 8, undefined], // More are shown than the service counts.
  ["newest", false, 4, undefined],
  ["unsorted", true, 4, undefined],
  ["same", true, 4, undefined],
])(
  "records that are listed %s, the total steady: %s, from offset %d of 10 on, lie at %s",
  (order, isSteady, offset, place) => {
    const placed = placeRecords(namedRecords("a b c"), offset, { order, total: 10, isSteady });
    expect(placed && `${placed.from}: ${namesOf(placed.records)}`).toBe(place);
  },
);

describe("the newest records are as they were", () => {
  const look = (
    order: "newest" | "oldest",
    top: string,
    names: string,
    other: { total?: number; passes?: number; agreed?: number | undefined } = {},
  ) => {
    const { total = 9, passes = 0 } = other;
    const state = knownZone({ order, knownTotal: 9, top: hashesOf(top) });
    const progress: WalkProgress = { ...beginWalk(state, new Date()), passes };
    const agreed = "agreed" in other ? other.agreed : 8;
    return isUnchanged(state, progress, { records: namedRecords(names), total }, agreed);
  };

  it.each<["newest" | "oldest", string, string, boolean]>([
    ["newest", "d c b", "d c b", true],
    ["newest", "d c b", "d c b a", true],
    ["newest", "d c b", "d c", true],
    ["newest", "d c b", "e d c", false],
    ["newest", "d c b", "d c x", false],
    ["oldest", "b c d", "b c d", true],
    ["oldest", "b c d", "a b c d", true],
    ["oldest", "b c d", "c d", true],
    ["oldest", "b c d", "c d e", false],
    ["oldest", "b c d", "x c d", false],
    ["newest", "", "d c b", false],
    ["newest", "d c b", "", false],
  ])("%s first: %s, then %s: %s", (order, top, names, isSame) => {
    expect(look(order, top, names)).toBe(isSame);
  });

  it.each([{ total: 10 }, { total: 8 }, { passes: 1 }, { agreed: undefined }])("not with %j", (other) => {
    expect(look("newest", "d c b", "d c b", other)).toBe(false);
  });
});

describe("of records at places 5 to 9, those that are new", () => {
  const hourMs = 3_600_000;
  const placed = {
    from: 5,
    records: namedRecords("a b c d e").map((one) => ({ ...one, instantMs: one.instantMs * 10 * hourMs })),
  };
  const taken = (agreed: number | undefined, knownAtMs?: number, dueFromMs: number | null = null) =>
    namesOf(
      newRecords(placed, agreed, {
        knownAt: knownAtMs === undefined ? null : new Date(knownAtMs).toISOString(),
        dueFromMs,
      }),
    );

  it("are all where nothing is as it was, else those above the place up to which all is", () => {
    expect(taken(undefined)).toBe("a b c d e");
    expect(taken(4)).toBe("a b c d e");
    expect(taken(7)).toBe("d e");
    expect(taken(9)).toBe("");
  });

  it("and those that began in the day before the walk that knew them: they may have grown", () => {
    expect(taken(9, 64 * hourMs)).toBe("e");
    expect(taken(9, 54 * hourMs)).toBe("d e");
    expect(taken(8, 64 * hourMs)).toBe("e");
    expect(taken(9, 100 * hourMs)).toBe("");
  });

  it("and those whose time has come", () => {
    expect(taken(9, undefined, 30 * hourMs)).toBe("d e");
    expect(taken(9, 54 * hourMs, 40 * hourMs)).toBe("d e");
    expect(taken(9, 100 * hourMs, 20 * hourMs)).toBe("c d e");
  });

  it("and those that tell no instant", () => {
    const odd = { from: 5, records: namedRecords("a ? c") };
    expect(namesOf(newRecords(odd, 7, { knownAt: null, dueFromMs: null }))).toBe("?");
  });
});

it("marks are renewed for all places that records stand at", () => {
  expect(renewedMarks({ records: namedRecords("b c d"), from: 5 })).toEqual({
    from: 5,
    to: 7,
    marks: [
      { place: 6, identity: "c, b" },
      { place: 7, identity: "d, c" },
    ],
  });
  expect(renewedMarks({ records: [], from: 5 })).toBeUndefined();
});
