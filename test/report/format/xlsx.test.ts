import { readXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import { formatXlsx } from "../../../src/report/format/xlsx/format-xlsx.ts";
import type { Report, ReportColumn, ReportRow } from "../../../src/report/result-types.ts";

const columns: ReportColumn[] = [
  { name: "zone_id", type: "integer" },
  { name: "zone_name", type: "text" },
  { name: "plays", type: "integer" },
  { name: "availability", type: "share" },
  { name: "date", type: "date" },
  { name: "started_at", type: "instant" },
  { name: "played_at_local", type: "local_time" },
  { name: "is_open", type: "boolean" },
];

function reportOf(rows: AsyncIterable<ReportRow>): Report {
  return {
    name: "plays",
    title: "Plays by zone",
    period: { from: "2026-10-24", to: "2026-11-20" },
    filters: ["kind music"],
    dataAsOf: "2026-11-21T04:10:00Z",
    version: "v000007",
    columns,
    rows,
    notes: ["Two zones are new."],
  };
}

async function* each(rows: Iterable<ReportRow>): AsyncIterableIterator<ReportRow> {
  yield* rows;
}

it("limits column widths, whatever a query's column is called", async () => {
  const name = Array.from({ length: 8 }, (_, zone) => `sum(case when zone_id = ${zone} then plays end)`).join(
    " + ",
  );
  const pieces: Uint8Array[] = [];
  const { name: _name, ...query } = reportOf(each([[7]]));
  const report = { ...query, columns: [{ name, type: "integer" as const }] };
  for await (const piece of formatXlsx(report)) pieces.push(piece);
  const { sheets } = await readXlsx(Buffer.concat(pieces), { readStyles: true });
  expect(sheets[0]?.rows[0]).toEqual([name]);
  expect(sheets[0]?.columns?.[0]?.width).toBe(60);
});

async function read(rows: AsyncIterable<ReportRow>, rowsPerSheet?: number) {
  const pieces: Uint8Array[] = [];
  for await (const piece of formatXlsx(reportOf(rows), { raw: true }, rowsPerSheet)) pieces.push(piece);
  return await readXlsx(Buffer.concat(pieces), { readStyles: true });
}

it("keeps every value and its type, with ids as text", async () => {
  const { sheets } = await read(
    each([
      [81001, "Bar", 1234, 0.918, "2026-11-20", "2026-11-20T23:59:59Z", "2026-11-21T00:59:59", true],
      [2 ** 51 - 1, "=1+1", 10n ** 15n, Number.NaN, "1899-12-31", "infinity", "9999-12-31T23:59:59", false],
      [null, null, null, null, null, null, null, null],
    ]),
  );
  const utc = (text: string) => new Date(`${text}Z`);
  expect(sheets[0]?.rows).toEqual([
    columns.map(({ name }) => name),
    [
      "81001",
      "Bar",
      1234,
      0.918,
      utc("2026-11-20T00:00"),
      utc("2026-11-20T23:59:59"),
      utc("2026-11-21T00:59:59"),
      true,
    ],
    [
      "2251799813685247",
      "=1+1",
      "1000000000000000",
      "NaN",
      "1899-12-31",
      "infinity",
      utc("9999-12-31T23:59:59"),
      false,
    ],
  ]);
});

it("is written for people: labels, durations as spans of time, and the location of a repeated name", async () => {
  const locations: Record<string, string> = { 11: "Harbour" };
  const written: ReportColumn[] = [
    { name: "zone_id", type: "integer", unit: "id" },
    { name: "zone_name", type: "text", unit: "text", mark: ([id]) => locations[String(id)] },
    { name: "week", type: "text", unit: "text", mark: () => "3 of 7 days" },
    { name: "plays", type: "integer", unit: "count" },
    { name: "play_seconds", type: "integer", unit: "seconds" },
    {
      name: "play_seconds_change",
      type: "integer",
      unit: "seconds",
      compared: { of: "play_seconds", is: "change" },
    },
    { name: "duration_secs", type: "integer", unit: "seconds" },
  ];
  const rows: ReportRow[] = [
    [11, "Bar", "2026-W47", 3, 90_000, -5400, 205],
    [12, "Gym", "2026-W47", 1, 30n, 0, null],
  ];
  const sheetOf = async (raw: boolean) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of formatXlsx({ ...reportOf(each(rows)), columns: written }, { raw }))
      pieces.push(piece);
    const [sheet] = (await readXlsx(Buffer.concat(pieces), { readStyles: true })).sheets;
    return sheet;
  };
  const people = await sheetOf(false);
  expect(people?.rows[0]).toEqual([
    "Zone id",
    "Zone",
    "Week",
    "Plays",
    "Play time",
    "Play time, change (hours)",
    "Duration",
  ]);
  // A library may read spans of time as instants since the sheet's first day.
  const daysOf = (value: unknown) =>
    value instanceof Date ? (value.getTime() - Date.UTC(1899, 11, 31)) / 86_400_000 : value;
  expect(people?.rows.slice(1).map((row) => row.map(daysOf))).toEqual([
    [
      "11",
      "Bar (Harbour)",
      "2026-W47",
      3,
      expect.closeTo(90_000 / 86_400, 8),
      -1.5,
      expect.closeTo(205 / 86_400, 8),
    ],
    ["12", "Gym", "2026-W47", 1, expect.closeTo(30 / 86_400, 8), 0, null],
  ]);
  expect((await sheetOf(true))?.rows).toEqual([
    written.map(({ name }) => name),
    ["11", "Bar", "2026-W47", 3, 90_000, -5400, 205],
    ["12", "Gym", "2026-W47", 1, 30, 0, null],
  ]);
});

it("freezes its header, with a filter on each column", async () => {
  const { sheets } = await read(each([[1, "Bar", 1, 1, null, null, null, null]]));
  expect(sheets[0]).toMatchObject({
    name: "plays",
    freezePane: { rows: 1 },
    autoFilter: { range: "A1:H2" },
  });
});

it.each([
  ["markup", "<b>&amp;</b> \"quoted\" 'too'"],
  ["blanks at its ends", "  two "],
  ["lines", "one\ntwo\r\nthree"],
  ["characters that XML can't represent", "bell \u0007, escape \u001b[31m, _x0007_"],
  ["text that resembles an escape once the next character is escaped", "_xaA0A\u0007"],
  ["wide and joined characters", "東京カフェ 🎵👩‍👩‍👧 مقهى"],
])("preserves a text with %s", async (_label, text) => {
  const { sheets } = await read(each([[1, text, 1, 1, null, null, null, null]]));
  expect(sheets[0]?.rows[1]?.[1]).toBe(text);
});

it("truncates a text beyond a cell's limit", async () => {
  const { sheets } = await read(each([[1, "x".repeat(40_000), 1, 1, null, null, null, null]]));
  expect(sheets[0]?.rows[1]?.[1]).toBe(`${"x".repeat(32_766)}…`);
});

it("does not split characters", async () => {
  const { sheets } = await read(each([[1, `${"x".repeat(32_765)}🎵🎵`, 1, 1, null, null, null, null]]));
  expect(sheets[0]?.rows[1]?.[1]).toBe(`${"x".repeat(32_765)}…`);
});

it("continues on another sheet, with the header, beyond Excel's row limit", async () => {
  const rows = [1, 2, 3, 4].map((id): ReportRow => [id, "Bar", id, 1, null, null, null, null]);
  const idsBySheet = async (given: readonly ReportRow[]) => {
    const { sheets } = await read(each(given), 3);
    return sheets.map(({ name, rows: [_header, ...shown] }) => [name, ...shown.map(([id]) => id)]);
  };
  const about = ["About", "report", "from", "to", "only", "data as of", "version", "note"];
  expect(await idsBySheet(rows)).toEqual([["plays", "1", "2"], ["plays 2", "3", "4"], about]);
  expect(await idsBySheet(rows.slice(0, 3))).toEqual([["plays", "1", "2"], ["plays 2", "3"], about]);
  expect(await idsBySheet(rows.slice(0, 2))).toEqual([["plays", "1", "2"], about]);
  expect(await idsBySheet([])).toEqual([["plays"], about]);
});

it("reads rows at its reader's pace, and stops when the reader leaves", async () => {
  let taken = 0;
  let isClosed = false;
  async function* endless(): AsyncIterableIterator<ReportRow> {
    try {
      for (;;) {
        taken += 1;
        // Incompressible content.
        yield [taken, String(Math.random()).repeat(20), Math.random(), 1, null, null, null, null];
      }
    } finally {
      isClosed = true;
    }
  }
  let bytes = 0;
  for await (const piece of formatXlsx(reportOf(endless()))) {
    bytes += piece.length;
    if (bytes > 100_000) break;
  }
  expect(isClosed).toBe(true);
  expect(taken).toBeLessThan(20_000);
});

it("fails if its rows fail", async () => {
  async function* failing(): AsyncIterableIterator<ReportRow> {
    yield [1, "Bar", 1, 1, null, null, null, null];
    throw new Error("the file is gone");
  }
  await expect(read(failing())).rejects.toThrow("the file is gone");
});
