import { describe, expect, it } from "vitest";
import { type HistoryLineRules, judgeLine } from "../../../src/load/history/classify-lines.ts";
import { largestId } from "../../../src/util/kind.ts";

const latest = "2026-11-21T12:00:00Z";

interface Case {
  kind?: HistoryLineRules["kind"];
  isTooLong?: boolean;
}

/** @param line text, or an object to serialise */
function judge(line: string | Buffer | object, { kind = "music", isTooLong = false }: Case = {}) {
  const bytes = Buffer.isBuffer(line)
    ? line
    : Buffer.from(typeof line === "string" ? line : JSON.stringify(line));
  const judged = judgeLine({ lineNumber: 1, bytes, isTooLong }, { kind, latestPlayedAt: new Date(latest) });
  return "canonicalLine" in judged ? JSON.parse(judged.canonicalLine) : judged;
}

const song = {
  zone_id: 7,
  zone_name: "Café",
  location_id: 3,
  location_name: "Nyhavn",
  song_id: 11,
  song_name: "So What",
  artist_id: 5,
  artist_name: "Miles Davis",
  play_start: "2026-11-21T10:30:00+02:00",
  duration_secs: 545,
};
const readSong = {
  zone_id: 7,
  item_id: 11,
  duration_secs: 545,
  location_id: 3,
  artist_id: 5,
  play_start: "2026-11-21T10:30:00+02:00",
  zone_name: "Café",
  location_name: "Nyhavn",
  item_name: "So What",
  artist_name: "Miles Davis",
};
const asset = {
  zone_id: 7,
  asset_id: 11,
  asset_name: "Sale",
  play_start: "2026-11-21T08:30:00Z",
  duration_secs: 30,
};

describe("a record", () => {
  it("with a song and its artist", () => {
    expect(judge(song)).toStrictEqual(readSong);
  });

  it.each(["signage", "messaging"] as const)("with an asset of %s, which has no artist", (kind) => {
    expect(judge({ ...asset, artist_id: "none", artist_name: "Miles Davis" }, { kind })).toStrictEqual({
      ...readSong,
      ...{ duration_secs: 30, location_id: null, artist_id: null, play_start: "2026-11-21T08:30:00+00:00" },
      ...{ zone_name: null, location_name: null, item_name: "Sale", artist_name: null },
    });
  });

  it.each([
    ["optional fields are null", { location_id: null, artist_id: null, song_name: null, zone_name: null }],
    [
      "optional fields are missing",
      { location_id: undefined, artist_id: undefined, song_name: undefined, zone_name: undefined },
    ],
  ])("although %s", (_, fields) => {
    expect(judge({ ...song, ...fields })).toStrictEqual({
      ...readSong,
      ...{ location_id: null, artist_id: null, item_name: null, zone_name: null },
    });
  });

  it.each([
    [
      "ids in quotes",
      JSON.stringify({ ...song, zone_id: "7", song_id: "11", location_id: "3", artist_id: "5" }),
    ],
    ["numbers with a decimal point", JSON.stringify(song).replaceAll(/":(\d+)/g, '":$1.0')],
  ])("with %s", (_, line) => {
    expect(judge(line)).toStrictEqual(readSong);
  });

  it.each([
    ["the smallest ids", { zone_id: 0, song_id: 0, location_id: 0, artist_id: 0 }],
    [
      "the largest ids",
      { zone_id: largestId, song_id: largestId, location_id: largestId, artist_id: largestId },
    ],
  ])("with %s", (_, ids) => {
    const { song_id: item_id, ...others } = ids;
    expect(judge({ ...song, ...ids })).toStrictEqual({ ...readSong, ...others, item_id });
  });

  it.each([0, 2_678_400])("that lasted %i s", (duration_secs) => {
    expect(judge({ ...song, duration_secs })).toStrictEqual({ ...readSong, duration_secs });
  });

  it.each([
    ["the first valid instant", "2000-01-01T01:00:00+01:00", "2000-01-01T01:00:00+01:00"],
    ["the last valid instant", "2026-11-21T12:00:00.9Z", "2026-11-21T12:00:00+00:00"],
  ])("that began at %s", (_, play_start, written) => {
    expect(judge({ ...song, play_start })).toStrictEqual({ ...readSong, play_start: written });
  });

  it("with half a surrogate pair in its name", () => {
    expect(judge({ ...song, song_name: "\ud83c" })).toStrictEqual({ ...readSong, item_name: "\ufffd" });
  });
});

describe("a line is rejected", () => {
  it.each([
    ["invalid_json", "{"],
    ["not_an_object", "[]"],
    ["invalid_utf8", Buffer.from([0x7b, 0xff, 0x7d])],
  ])("as %s", (reason, line) => {
    expect(judge(line)).toStrictEqual({ reason });
  });

  it("as too long, before any other reason", () => {
    expect(judge(Buffer.from([0xff]), { isTooLong: true })).toStrictEqual({ reason: "line_too_long" });
  });

  it.each(["zone_id", "song_id", "duration_secs", "play_start"])("because it lacks %s", (field) => {
    expect(judge({ ...song, [field]: undefined })).toStrictEqual({ reason: "missing_field" });
    expect(judge({ ...song, [field]: null })).toStrictEqual({ reason: "missing_field" });
  });

  it.each(["signage", "messaging"] as const)("as %s with a song", (kind) => {
    expect(judge(song, { kind })).toStrictEqual({ reason: "missing_field" });
  });

  it("as music with an asset", () => {
    expect(judge(asset)).toStrictEqual({ reason: "missing_field" });
  });

  it.each(["zone_id", "song_id", "duration_secs", "location_id", "artist_id"])(
    "because its %s is not a whole number",
    (field) => {
      for (const value of [1.5, "x", true, {}, []]) {
        expect(judge({ ...song, [field]: value })).toStrictEqual({ reason: "wrong_type" });
      }
    },
  );

  it("because its play_start is not text", () => {
    expect(judge({ ...song, play_start: 1_763_720_000 })).toStrictEqual({ reason: "wrong_type" });
  });

  it.each([
    ["invalid_timestamp", "yesterday"],
    ["no_utc_offset", "2026-11-21T08:30:00"],
    ["timestamp_out_of_range", "1999-12-31T23:59:59Z"],
  ])("as %s", (reason, play_start) => {
    expect(judge({ ...song, play_start })).toStrictEqual({ reason });
  });

  it("because it is ahead", () => {
    expect(judge({ ...song, play_start: "2026-11-21T13:00:01+01:00" })).toStrictEqual({
      reason: "timestamp_out_of_range",
    });
  });

  it.each(["zone_id", "song_id", "location_id", "artist_id"])("because its %s is out of range", (field) => {
    expect(judge({ ...song, [field]: -1 })).toStrictEqual({ reason: "id_out_of_range" });
    expect(judge({ ...song, [field]: largestId + 1 })).toStrictEqual({
      reason: "id_out_of_range",
    });
  });

  it.each([-1, 2_678_401])("because it lasted %i s", (duration_secs) => {
    expect(judge({ ...song, duration_secs })).toStrictEqual({ reason: "duration_out_of_range" });
  });

  it("for one reason, the first that applies", () => {
    const fields = { zone_id: -1, duration_secs: -1 };
    const reasons = [
      judge({ ...song, ...fields, zone_id: undefined, song_id: "x" }),
      judge({ ...song, ...fields, song_id: "x", play_start: "x" }),
      judge({ ...song, ...fields, play_start: "x" }),
      judge({ ...song, ...fields, play_start: "1999-01-01T00:00:00Z" }),
      judge({ ...song, ...fields }),
    ].map(({ reason }) => reason);
    expect(reasons).toStrictEqual([
      "missing_field",
      "wrong_type",
      "invalid_timestamp",
      "timestamp_out_of_range",
      "id_out_of_range",
    ]);
  });
});
