import { describe, expect, it } from "vitest";
import { hashText, toWalkRecord, toWalkRecords } from "../../../src/extract/walk/walk-record.ts";

const play = { song_id: 7, duration_secs: 180, play_start: "2026-11-21T08:00:00+01:00" };
const startMs = Date.parse(play.play_start);
const identityOf = (change: object) => toWalkRecord("music", { ...play, ...change }).identity;

describe("the identity of a record", () => {
  it.each<[string, object]>([
    ["a longer duration", { duration_secs: 200 }],
    ["the same instant with another offset", { play_start: "2026-11-21T07:00:00Z" }],
    ["an offset without a colon", { play_start: "2026-11-21T08:00:00+0100" }],
    ["an offset of hours only", { play_start: "2026-11-21T08:00:00+01" }],
    ["a lower-case letter", { play_start: "2026-11-21T07:00:00z" }],
    ["no seconds", { play_start: "2026-11-21T08:00+01:00" }],
    ["the basic format", { play_start: "20261121T080000+0100" }],
    ["a day of the year", { play_start: "2026-325T08:00:00+01:00" }],
    ["fractions of a second, which loading drops", { play_start: "2026-11-21T08:00:00,25+01:00" }],
    ["its item as a string", { song_id: "7" }],
    ["an additional item of another kind", { asset_id: 9 }],
  ])("is unchanged by %s", (_label, change) => {
    expect(identityOf(change)).toBe(identityOf({}));
  });

  it.each<[string, object]>([
    ["another item", { song_id: 8 }],
    ["another instant", { play_start: "2026-11-21T08:00:01+01:00" }],
    ["no offset", { play_start: "2026-11-21T08:00:00" }],
  ])("is different with %s", (_label, change) => {
    expect(identityOf(change)).not.toBe(identityOf({}));
  });

  it("is its date-time if it has no offset", () => {
    const [one, other] = ["2026-11-21T08:00:00", "2026-11-21T09:00:00"];
    expect(identityOf({ play_start: one, duration_secs: 1 })).toBe(identityOf({ play_start: one }));
    expect(identityOf({ play_start: one })).not.toBe(identityOf({ play_start: other }));
  });

  it.each<[string, object]>([
    ["no item", { song_id: undefined }],
    ["a null item", { song_id: null }],
    ["a list as the item", { song_id: [7] }],
    ["a number as the start", { play_start: 1_700_000_000 }],
  ])("is its whole line with %s", (_label, change) => {
    const { instantMs, identity } = toWalkRecord("music", { ...play, ...change });
    expect(instantMs).toBeNaN();
    expect(identity).not.toBe(identityOf({ ...change, duration_secs: 200 }));
  });

  it("is an asset except for music", () => {
    const shown = { ...play, song_id: undefined, asset_id: 3 };
    expect(toWalkRecord("signage", shown).instantMs).toBe(startMs);
    expect(toWalkRecord("messaging", shown).instantMs).toBe(startMs);
    expect(toWalkRecord("music", shown).instantMs).toBeNaN();
    expect(toWalkRecord("signage", play).instantMs).toBeNaN();
  });
});

it.each([null, 5, "text", [], true])("%j is not a play, and keeps its line", (record) => {
  const { instantMs, line } = toWalkRecord("music", record);
  expect([instantMs, line]).toEqual([Number.NaN, JSON.stringify(record)]);
});

it("a start without an offset has no instant if others of the page have offsets", () => {
  const local = { ...play, play_start: "2026-11-21T08:00:00" };
  const instants = (...page: object[]) => toWalkRecords("music", page).map(({ instantMs }) => instantMs);
  expect(instants(play, local)).toEqual([startMs, Number.NaN]);
  expect(instants(local, local)).toEqual([Date.parse(local.play_start), Date.parse(local.play_start)]);
  for (const offset of ["+01:00", "+0100", "+01"]) {
    const other = { ...play, play_start: `2026-11-21T08:00:00${offset}` };
    expect(instants(other, local)).toEqual([startMs, Number.NaN]);
  }
  const west = { ...play, play_start: "2026-11-21T06:00:00\u221201:00" };
  expect(instants(west, local)).toEqual([startMs, Number.NaN]);
  // Neither the day of a date nor an offset inside a text is an offset.
  for (const odd of ["2026-11-21", "2026-11-21T08+01:00:00"])
    expect(instants({ ...play, play_start: odd }, local)[1]).toBe(Date.parse(local.play_start));
});

it("text hashes are whole numbers and almost never collide", () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => [
    `${index}`,
    `${index} `,
    `line ${index * 7}x`,
  ]).flat();
  const hashes = texts.map(hashText);
  expect(hashes.every((hash) => Number.isSafeInteger(hash) && hash >= 0)).toBe(true);
  expect(new Set(hashes).size).toBe(new Set(texts).size);
});
