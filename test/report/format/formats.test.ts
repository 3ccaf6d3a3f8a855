import { describe, expect, it } from "vitest";
import type { FormatOptions } from "../../../src/report/format/formatter.ts";
import { loadFormatter } from "../../../src/report/format/load-formatter.ts";
import type { FormatName } from "../../../src/report/formats.ts";
import { chooseColumns } from "../../../src/report/options/output-format.ts";
import type { Report, ReportRow } from "../../../src/report/result-types.ts";

async function* each(rows: readonly ReportRow[]) {
  yield* rows;
}

const nastyNames = [
  "=cmd()|' /C calc'!A0",
  "+1 234",
  "-",
  "@sum(A1)",
  "\tTab, then text",
  "a|b `c` <i>d</i> [e](f) \\ _g_ h_i",
  'line one\nline "two"\r\nthree',
  "مقهى المدينة",
  "東京カフェ 🎵👩‍👩‍👧",
  "\u001b[31mred\u001b[0m \u202eesrever",
  "",
  "x".repeat(20_000),
];

function playsReport(rows: readonly ReportRow[]): Report {
  return {
    title: "Plays by zone",
    period: { from: "2026-10-24", to: "2026-11-20" },
    filters: ["kind music"],
    dataAsOf: "2026-11-21T04:10:00Z",
    version: "v000007",
    columns: [
      { name: "zone_id", type: "integer" },
      { name: "zone_name", type: "text" },
      { name: "plays", type: "integer" },
      { name: "play_seconds", type: "integer" },
      { name: "complete_plays", type: "integer" },
      { name: "measured_plays", type: "integer" },
      { name: "short_plays", type: "integer" },
      { name: "availability", type: "share" },
      { name: "last_play_at", type: "instant" },
      { name: "is_open", type: "boolean" },
    ],
    rows: each(rows),
    notes: [],
  };
}

const numbers = [1_234_567, 98_765_432, 0, 12, 3, 0.9996, "2026-11-21T10:00:00Z", true] as const;
const nasty = () => playsReport(nastyNames.map((name, index) => [index + 1, name, ...numbers]));

async function format(name: FormatName, report: Report, options?: FormatOptions): Promise<string> {
  const formatter = await loadFormatter(name);
  let text = "";
  for await (const piece of formatter(report, options)) text += piece;
  return text;
}

/** Keeps snapshots readable. */
const short = (text: string) => text.replace(/x{100,}/g, (run) => `(x ${run.length} times)`);

describe("table", () => {
  it("fits 80 columns", async () => {
    const { columns, rows, ...report } = nasty();
    const firstSeven = async function* () {
      for await (const row of rows) yield row.slice(0, 7);
    };
    const narrow = { ...report, columns: columns.slice(0, 7), rows: firstSeven() };
    expect(await format("table", narrow, { width: 80 })).toMatchInlineSnapshot(`
      "Plays by zone
      2026-10-24 to 2026-11-20 · kind music · data as of 2026-11-21T04:10:00Z ·
      v000007

      zone_                                        play_  complete_  measured_  short_
         id  zone_name                   plays   seconds      plays      plays   plays
      ─────  ────────────────────────  ───────  ────────  ─────────  ─────────  ──────
          1  =cmd()|' /C calc'!A0      1234567  98765432          0         12       3
          2  +1 234                    1234567  98765432          0         12       3
          3  -                         1234567  98765432          0         12       3
          4  @sum(A1)                  1234567  98765432          0         12       3
          5   Tab, then text           1234567  98765432          0         12       3
          6  a|b \`c\` <i>d</i> [e](f)…  1234567  98765432          0         12       3
          7  line one↵line "two"↵thr…  1234567  98765432          0         12       3
          8  مقهى المدينة              1234567  98765432          0         12       3
          9  東京カフェ 🎵👩‍👩‍👧           1234567  98765432          0         12       3
         10  �[31mred�[0m esrever      1234567  98765432          0         12       3
         11                            1234567  98765432          0         12       3
         12  xxxxxxxxxxxxxxxxxxxxxxx…  1234567  98765432          0         12       3

      12 rows
      "
    `);
  });

  it("fits 120 columns", async () => {
    expect(await format("table", nasty(), { width: 120 })).toMatchInlineSnapshot(`
      "Plays by zone
      2026-10-24 to 2026-11-20 · kind music · data as of 2026-11-21T04:10:00Z · v000007

      zone_                                      play_  complete_  measured_  short_                                      is_
         id  zone_name                 plays   seconds      plays      plays   plays  availability  last_play_at          open
      ─────  ──────────────────────  ───────  ────────  ─────────  ─────────  ──────  ────────────  ────────────────────  ────
          1  =cmd()|' /C calc'!A0    1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
          2  +1 234                  1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
          3  -                       1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
          4  @sum(A1)                1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
          5   Tab, then text         1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
          6  a|b \`c\` <i>d</i> [e](…  1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
          7  line one↵line "two"↵t…  1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
          8  مقهى المدينة            1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
          9  東京カフェ 🎵👩‍👩‍👧         1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
         10  �[31mred�[0m esrever    1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
         11                          1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes
         12  xxxxxxxxxxxxxxxxxxxxx…  1234567  98765432          0         12       3        99.9 %  2026-11-21T10:00:00Z  yes

      12 rows
      "
    `);
  });

  it("shows the columns that fit, and counts the others", async () => {
    const report = playsReport([
      [7, "東京".repeat(30), ...numbers],
      [8, null, ...numbers],
    ]);
    expect(await format("table", report, { width: 40 })).toMatchInlineSnapshot(`
      "Plays by zone
      2026-10-24 to 2026-11-20 · kind music ·
      data as of 2026-11-21T04:10:00Z ·
      v000007

      zone_
         id  zone_name                   plays
      ─────  ────────────────────────  ───────
          7  東京東京東京東京東京東…   1234567
          8                            1234567

      2 rows, 7 more columns: --wide shows all, --columns chooses
      "
    `);
  });

  it("begins on a terminal with the answer, labels and the ratio, with readable numbers", async () => {
    const report: Report = {
      ...playsReport([[81003, "Fulton Bar", ...numbers]]),
      name: "uptime",
      ratio: "availability",
      answer: {
        heading: "Uptime",
        headline: "12 devices were up 99.3 % of monitored time; down for 7\u00a0h 22\u00a0min.",
      },
    };
    const columns = report.columns.map((column) =>
      column.name === "play_seconds" ? { ...column, unit: "seconds" as const } : column,
    );
    expect(
      await format("table", { ...report, columns }, { width: 72, isTerminal: true }),
    ).toMatchInlineSnapshot(`
      "12 devices were up 99.3 % of monitored time; down for 7 h 22 min.
      Plays by zone · 2026-10-24 to 2026-11-20 · kind music · data as of
      2026-11-21T04:10:00Z · v000007

                                                            Complete  Measured
      Zone        Availability      Plays        Play time     plays     plays
      ──────────  ────────────  ─────────  ───────────────  ────────  ────────
      Fulton Bar        99.9 %  1,234,567  27,434 h 50 min         0        12

      1 row, 4 more columns: --wide shows all, --columns chooses
      "
    `);
  });

  it("keeps a chosen order, and with --wide every column", async () => {
    const report = (): Report => ({ ...playsReport([[7, "Bar", ...numbers]]), name: "uptime" });
    const terminal = { width: 60, isTerminal: true };
    const heads = async (shown: Report, options: FormatOptions) =>
      (await format("table", shown, options)).split("\n").find((line) => /─/.test(line));
    const wide = await heads(report(), { ...terminal, isWide: true });
    expect(wide?.split(/ +/)).toHaveLength(report().columns.length);
    const chosen = chooseColumns(report(), ["plays,zone_id"]);
    expect(await format("table", chosen, terminal)).toContain("    Plays  Zone id\n");
  });

  it("wraps sentences at words", async () => {
    const note = "days that ended by then are covered by a complete export that was requested late enough";
    const report = (): Report => ({
      ...playsReport([]),
      columns: [
        { name: "subject", type: "text" },
        { name: "value", type: "text" },
        { name: "note", type: "text", wraps: true },
      ],
      rows: each([
        ["settled", "yes", note],
        ["closed", "no", ""],
      ]),
    });
    const lines = (await format("table", report(), { width: 50 })).split("\n").slice(-9);
    expect(lines).toMatchInlineSnapshot(`
      [
        "subject  value  note",
        "───────  ─────  ──────────────────────────────────",
        "settled  yes    days that ended by then are",
        "                covered by a complete export that",
        "                was requested late enough",
        "closed   no",
        "",
        "2 rows",
        "",
      ]
    `);
    expect(await format("table", report())).toContain(note);
  });

  it("takes the width that it needs without a terminal", async () => {
    const text = await format("table", nasty());
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeGreaterThan(120);
    expect(text).toContain(`${"x".repeat(79)}…`);
  });

  it("draws shares as bars if they fit without truncating a text", async () => {
    const report = () => playsReport([[1, "a name", ...numbers]]);
    const roomy = await format("table", report(), { width: 130, isTerminal: true });
    expect(roomy).toContain("99.9 % ████████  2026");
    const narrow = await format("table", report(), { width: 86, isTerminal: true });
    expect(narrow).toContain("99.9 %");
    expect(narrow).not.toContain("█");
    expect(narrow).toContain("a name");
    expect(await format("table", report(), { width: 130 })).not.toContain("█");
  });

  it("uses colours only on request", async () => {
    const report = () => playsReport([[1, "a", ...numbers]]);
    expect(await format("table", report(), { width: 200 })).not.toContain("\u001b");
    expect(await format("table", report(), { width: 200, useColour: true })).toContain(
      "\u001b[1mPlays by zone\u001b[0m",
    );
  });

  it("escapes control characters in names", async () => {
    const text = await format("table", nasty(), { width: 120 });
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  });

  it("never truncates numbers, even if wider than all before", async () => {
    const rows = Array.from({ length: 10_500 }, (_, index) => [
      index < 10_200 ? 1 : 123_456_789_012,
      "a",
      ...numbers,
    ]);
    const text = await format("table", playsReport(rows), { width: 120 });
    expect(text).toContain("\n123456789012  a");
    expect(text).toContain("10500 rows");
  });

  it("truncates later texts on a terminal only", async () => {
    const rows = () =>
      Array.from({ length: 10_001 }, (_, index) => [1, index < 10_000 ? "a" : "a longer name", ...numbers]);
    expect(await format("table", playsReport(rows()), { width: 200 })).toContain("a longer…  ");
    expect(await format("table", playsReport(rows()))).toContain("a longer name  1234567");
  });

  it("truncates long column names, as in queries", async () => {
    const name = "sum(case when kind = 'music' then plays else 0 end)";
    const columns = [
      { name, type: "integer" },
      { name: "東京", type: "integer" },
    ] as const;
    const report = { ...playsReport([]), columns, rows: each([[1, 2]]) };
    expect((await format("table", report, { width: 40 })).split("\n").slice(-6)).toEqual([
      "sum(case when k…  東京",
      "────────────────  ────",
      "               1     2",
      "",
      "1 row",
      "",
    ]);
  });

  it("reports zero rows", async () => {
    expect(await format("table", playsReport([]), { width: 120 })).toMatch(/\n0 rows\n$/);
  });
});

describe("csv", () => {
  it("quotes fields and neutralizes formulas", async () => {
    expect(short(await format("csv", nasty())).replaceAll("\r", "␍")).toMatchInlineSnapshot(`
      "zone_id,zone_name,plays,play_seconds,complete_plays,measured_plays,short_plays,availability,last_play_at,is_open␍
      1,'=cmd()|' /C calc'!A0,1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      2,'+1 234,1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      3,'-,1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      4,'@sum(A1),1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      5,"'	Tab, then text",1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      6,a|b \`c\` <i>d</i> [e](f) \\ _g_ h_i,1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      7,"line one
      line ""two""␍
      three",1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      8,مقهى المدينة,1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      9,東京カフェ 🎵👩‍👩‍👧,1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      10,[31mred[0m ‮esrever,1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      11,"",1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      12,(x 20000 times),1234567,98765432,0,12,3,0.9996,2026-11-21T10:00:00Z,true␍
      "
    `);
  });

  it("leaves numbers and dates unchanged, distinguishes null from an empty text, and escapes column names", async () => {
    const report: Report = {
      ...playsReport([]),
      columns: [
        { name: "=1+1", type: "number" },
        { name: "n", type: "integer" },
        { name: "d", type: "date" },
        { name: "t", type: "text" },
      ],
      rows: each([
        [-1.5, -9_007_199_254_740_993n, "2026-11-20", null],
        [null, null, null, ""],
      ]),
    };
    expect(await format("csv", report)).toBe(
      '\'=1+1,n,d,t\r\n-1.5,-9007199254740993,2026-11-20,\r\n,,,""\r\n',
    );
  });
});

describe("json", () => {
  it("writes an array of row objects", async () => {
    const rows = JSON.parse(await format("json", nasty())) as Record<string, unknown>[];
    expect(rows.map((row) => row.zone_name)).toEqual(nastyNames);
    expect(rows[0]).toEqual({
      zone_id: 1,
      zone_name: nastyNames[0],
      plays: 1_234_567,
      play_seconds: 98_765_432,
      complete_plays: 0,
      measured_plays: 12,
      short_plays: 3,
      availability: 0.9996,
      last_play_at: "2026-11-21T10:00:00Z",
      is_open: true,
    });
  });

  it.each<[ReportRow[], string]>([
    [[], "[]\n"],
    [[[1n, null]], '[\n{"a":1,"__proto__":null}\n]\n'],
    [[[2n ** 60n, Number.NaN]], '[\n{"a":1152921504606846976,"__proto__":null}\n]\n'],
  ])("%s", async (rows, text) => {
    const columns = [
      { name: "a", type: "integer" },
      { name: "__proto__", type: "number" },
    ] as const;
    expect(await format("json", { ...playsReport([]), columns, rows: each(rows) })).toBe(text);
  });
});

describe("md", () => {
  it("shows names literally", async () => {
    expect(short(await format("md", nasty()))).toMatchInlineSnapshot(`
      "## Plays by zone

      2026-10-24 to 2026-11-20 · kind music · data as of 2026-11-21T04:10:00Z · v000007

      | zone_id | zone_name | plays | play_seconds | complete_plays | measured_plays | short_plays | availability | last_play_at | is_open |
      | --: | --- | --: | --: | --: | --: | --: | --: | --- | --- |
      | 1 | =cmd()\\|' /C calc'!A0 | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 2 | +1 234 | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 3 | - | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 4 | @sum(A1) | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 5 |  Tab, then text | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 6 | a\\|b \\\`c\\\` &lt;i&gt;d&lt;/i&gt; \\[e\\](f) \\\\ \\_g\\_ h_i | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 7 | line one<br>line "two"<br>three | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 8 | مقهى المدينة | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 9 | 東京カフェ 🎵👩‍👩‍👧 | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 10 | �\\[31mred�\\[0m esrever | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 11 |  | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |
      | 12 | (x 20000 times) | 1234567 | 98765432 | 0 | 12 | 3 | 99.9 % | 2026-11-21T10:00:00Z | yes |

      12 rows
      "
    `);
  });
});
