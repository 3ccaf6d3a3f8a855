import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { itEachSampled } from "../../support/long-suite.ts";
import { countsOf, createLoadFixture, musicLine } from "../load-fixture.ts";
import { badLines, soundLines } from "./history-lines.ts";

const good = musicLine();
const other = musicLine({ song_id: 301 });

function file(lines: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [Buffer.from(line as string), Buffer.from("\n")]));
}

describe("a bad line loses no good one", () => {
  it("in a file with every kind of bad line", async () => {
    const { load, warehouse } = await createLoadFixture();
    const lines = badLines.flatMap(([, line], index) => [line, musicLine({ song_id: index })]);
    const split = ['{"zone_id":7,', '"song_id":5}'];
    const long = musicLine({ song_name: "x".repeat(2 ** 21) });

    const result = await load(
      file([`\uFEFF${good}`, "", ...lines, `${other}\r`, long, ...split, " \t"]).subarray(0, -1),
    );

    const bad = badLines.length;
    expect(countsOf(result)).toEqual({ lines: 2 * bad + 7, newPlays: bad + 2, rejected: bad + 3, blank: 2 });
    const items = await warehouse.all<{ item_id: number }>("select item_id from core.play order by item_id");
    expect(items.map(({ item_id }) => item_id)).toEqual([...badLines.keys(), 300, 301]);
    expect(await warehouse.all("select line_number, reason from core.reject order by line_number")).toEqual([
      ...badLines.map(([, , reason], index) => ({ line_number: 3 + 2 * index, reason })),
      { line_number: 2 * bad + 4, reason: "line_too_long" },
      { line_number: 2 * bad + 5, reason: "invalid_json" },
      { line_number: 2 * bad + 6, reason: "invalid_json" },
    ]);
  });

  it("and is kept unchanged, up to 1,000 characters", async () => {
    const { load, warehouse } = await createLoadFixture();
    const notText = Buffer.from("caf\u00e9", "latin1");
    await load(
      file([
        good,
        "oops",
        "o\rops",
        `${good.slice(0, -1)}\r`,
        notText,
        "a\0b",
        "\u{1F600}".repeat(1100),
        "x".repeat(2 ** 21),
      ]),
    );
    expect(await warehouse.all("select line from core.reject order by line_number")).toEqual(
      [
        "oops",
        "o\rops",
        good.slice(0, -1),
        "caf\uFFFD",
        "a\uFFFDb",
        "\u{1F600}".repeat(1000),
        "x".repeat(1000),
      ].map((line) => ({ line })),
    );
  });

  it("for any number of bad lines, each with its line number", async () => {
    const { load, warehouse } = await createLoadFixture();
    // More than two batches; the last line has no end.
    const numbers = Array.from({ length: 40_000 }, (_, index) => index + 1);
    const lines = numbers.map((number) =>
      number % 100 === 0 ? musicLine({ song_id: number }) : `{"${number}":1}`,
    );
    const result = await load(Buffer.from(`${lines.join("\n")}\n{"40001":1}`));
    expect(countsOf(result)).toEqual({ lines: 40_001, newPlays: 400, rejected: 39_601 });
    const rejects = await warehouse.all<{ line_number: number; line: string }>(
      "select line_number, line from core.reject where reason = 'missing_field' order by line_number",
    );
    expect(rejects).toEqual(
      [...numbers, 40_001]
        .filter((number) => number % 100 !== 0)
        .map((number) => ({ line_number: number, line: `{"${number}":1}` })),
    );
  });

  itEachSampled(
    [
      ["a byte order mark", `\uFEFF${good}\n${other}\n`, { lines: 2, newPlays: 2 }],
      ["a line with only a byte order mark", `\uFEFF\n${good}\n`, { lines: 2, newPlays: 1, blank: 1 }],
      ["CRLF", `${good}\r\n${other}\r\n`, { lines: 2, newPlays: 2 }],
      ["blank lines", `\n${good}\n \t\n\r\n${other}\n\n`, { lines: 6, newPlays: 2, blank: 4 }],
      ["no final newline", `${good}\n${other}`, { lines: 2, newPlays: 2 }],
      ["nothing", "", {}],
      ["only blank lines", "\n\n", { lines: 2, blank: 2 }],
      ["only bad lines", "oops\nnull\n", { lines: 2, rejected: 2 }],
      [
        "one object over two lines",
        `${good}\n${good.replace(",", ",\n")}\n${other}\n`,
        { lines: 4, newPlays: 2, rejected: 2 },
      ],
      [
        "one object over five lines",
        `${good}\n{\n"zone_id":7,\n"song_id":5\n\n}\n${other}\n`,
        { lines: 7, newPlays: 2, rejected: 4, blank: 1 },
      ],
      [
        "a line of 2 MB",
        `${good}\n${musicLine({ song_name: "x".repeat(2 ** 21) })}\n${other}`,
        { lines: 3, newPlays: 2, rejected: 1 },
      ],
      ["a line of exactly 1 MiB", `${longLine(2 ** 20)}\n${other}`, { lines: 2, newPlays: 2 }],
      [
        "a line of 1 MiB and a byte",
        `${longLine(2 ** 20 + 1)}\n${other}`,
        { lines: 2, newPlays: 1, rejected: 1 },
      ],
      ["a line of 50 MB", `${good}\n${"x".repeat(50e6)}\n${other}`, { lines: 3, newPlays: 2, rejected: 1 }],
      ["a .gz file", gzipSync(`${good}\noops\n${other}\n`), { lines: 3, newPlays: 2, rejected: 1 }],
    ] as readonly [label: string, content: string | Buffer, counts: Record<string, number>][],
    10,
  )("in a file with %s", async ([_label, content, counts]) => {
    const { load, folder } = await createLoadFixture();
    const path = join(folder, `own[1]*.jsonl${Buffer.isBuffer(content) ? ".gz" : ""}`);
    writeFileSync(path, content);
    expect(countsOf(await load([], { path }))).toEqual(counts);
  });
});

itEachSampled(
  ["duration_secs=5", "song_id=9", "play_start=2026-01-01", "zone_id=3/artist_id=8/location_id=2"],
  2,
)("sets no column from a folder named %s", async (name) => {
  const { load, folder, warehouse } = await createLoadFixture();
  const path = join(folder, name, "own.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${musicLine()}\n`);
  const { newPlays } = await load([], { path });
  expect(newPlays).toBe(1);
  const fields = "zone_id, item_id, duration_secs, artist_id, location_id, date";
  expect(await warehouse.all(`select ${fields} from core.play`)).toEqual([
    { zone_id: 7, item_id: 300, duration_secs: 200, artist_id: 40, location_id: 51, date: "2026-03-10" },
  ]);
});

describe("the result of a valid line", () => {
  const expected = soundLines.map(([, , stored], zoneId) => ({
    kind: "music",
    item_id: 300,
    played_at: "2026-03-10 11:00:00",
    played_at_local: "2026-03-10 12:00:00",
    utc_offset_minutes: 60,
    written_offset_minutes: 60,
    date: "2026-03-10",
    duration_secs: 200,
    location_id: 51,
    artist_id: 40,
    ...stored,
    zone_id: 1000 + zoneId,
  }));
  // A zone for each, so that they are distinct plays.
  const lines = soundLines.map(([, line], index) =>
    line.replace(/"zone_id" ?: ?"?7(\.0)?"?/, `"zone_id":${1000 + index}$1`),
  );

  it.each<[label: string, spoil: (line: string) => string]>([
    ["read by DuckDB", (line) => line],
    // DuckDB refuses lone surrogates, JavaScript does not.
    ["read by JavaScript", (line) => line.replace("{", '{"half":"\\ud800",')],
  ])("%s", async (_label, spoil) => {
    const { load, state } = await createLoadFixture();
    expect(countsOf(await load(lines.map(spoil)))).toMatchObject({ newPlays: lines.length });
    expect((await state()).play).toEqual(expected);
  });
});

function longLine(bytes: number): string {
  const line = musicLine({ song_name: "" });
  return musicLine({ song_name: "x".repeat(bytes - line.length) });
}

it("does not confuse lines whose ids were chosen to collide in plain hashes", async () => {
  const { load } = await createLoadFixture();
  await load(file([good]));
  const forged = musicLine({
    song_id: 98001615564033,
    artist_id: 139801367763159,
    play_start: "2026-02-08T13:40:43+01:00",
    duration_secs: 17971,
  });
  expect(countsOf(await load(file([good, forged])))).toEqual({ lines: 2, newPlays: 1, unchanged: 1 });
});
