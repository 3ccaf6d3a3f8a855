import { describe, expect, it } from "vitest";
import { readPlayStart, writePlayStart } from "../../../src/load/history/play-start.ts";

const at = (iso: string, offsetMinutes: number) => ({ playedAtMs: Date.parse(iso), offsetMinutes });
const invalid = { reason: "invalid_timestamp" };
const withoutOffset = { reason: "no_utc_offset" };

describe("readPlayStart", () => {
  it.each([
    ["2026-11-21T08:00:00+01:00", at("2026-11-21T07:00:00Z", 60)],
    ["2026-11-21T08:00:00Z", at("2026-11-21T08:00:00Z", 0)],
    ["2026-11-21t08:00:00z", at("2026-11-21T08:00:00Z", 0)],
    ["2026-11-21 08:00:00-05:30", at("2026-11-21T13:30:00Z", -330)],
    ["2026-11-21T08:00:00.999+01:00", at("2026-11-21T07:00:00Z", 60)],
    ["2026-11-21T08:00:00,5+01:00", at("2026-11-21T07:00:00Z", 60)],
    ["2026-11-21T08:00:00+0100", at("2026-11-21T07:00:00Z", 60)],
    ["2026-11-21T08:00:00+01", at("2026-11-21T07:00:00Z", 60)],
    ["2026-11-21T08:00:00-00:00", at("2026-11-21T08:00:00Z", 0)],
    ["2026-11-21T23:59:59+14:00", at("2026-11-21T09:59:59Z", 840)],
    ["2026-11-21T00:00:00-14:00", at("2026-11-21T14:00:00Z", -840)],
    ["2026-11-21T08:00:00+13:59", at("2026-11-20T18:01:00Z", 839)],
    ["2028-02-29T08:00:00Z", at("2028-02-29T08:00:00Z", 0)],
    ["0100-01-01T00:00:00Z", at("0100-01-01T00:00:00Z", 0)],
  ])("%s is an instant", (text, start) => {
    expect(readPlayStart(text)).toStrictEqual(start);
  });

  it.each([
    ["2026-11-21T08:00:00", withoutOffset],
    ["2026-11-21T08:00:00.5", withoutOffset],
    ["2026-02-29T08:00:00Z", invalid],
    ["2026-04-31T08:00:00Z", invalid],
    ["2026-00-10T08:00:00Z", invalid],
    ["2026-13-10T08:00:00Z", invalid],
    ["2026-11-00T08:00:00Z", invalid],
    ["2026-11-21T24:00:00Z", invalid],
    ["2026-11-21T08:60:00Z", invalid],
    ["2026-11-21T08:00:60Z", invalid],
    ["0099-01-01T00:00:00Z", invalid],
    ["2026-11-21T08:00:00+14:01", invalid],
    ["2026-11-21T08:00:00-15:00", invalid],
    ["2026-11-21T08:00:00+01:60", invalid],
    ["2026-11-21T08:00:00+01:0", invalid],
    ["2026-11-21T08:00Z", invalid],
    ["2026-11-21", invalid],
    [" 2026-11-21T08:00:00Z", invalid],
    ["2026-11-21T08:00:00Z ", invalid],
    ["", invalid],
  ])("%s is none", (text, reason) => {
    expect(readPlayStart(text)).toStrictEqual(reason);
  });
});

it.each([
  [0, "2026-11-21T08:00:00+00:00"],
  [60, "2026-11-21T09:00:00+01:00"],
  [-330, "2026-11-21T02:30:00-05:30"],
  [-5, "2026-11-21T07:55:00-00:05"],
  [839, "2026-11-21T21:59:00+13:59"],
])("an offset of %d minutes is written as in %s, which reads the same", (offsetMinutes, text) => {
  const playedAtMs = Date.parse("2026-11-21T08:00:00Z");
  expect(writePlayStart(playedAtMs, offsetMinutes)).toBe(text);
  expect(readPlayStart(text)).toStrictEqual({ playedAtMs, offsetMinutes });
});
