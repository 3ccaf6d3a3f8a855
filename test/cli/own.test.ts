import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { addDays, formatWeek, listDaysBetween } from "../../src/util/local-date.ts";
import { generatePlays } from "../report/plays-world.ts";
import { setUpPlays } from "../support/published-plays.ts";
import { type RunOptions, runVenue } from "../support/run-venue.ts";

function writeCustom(
  { workingFolder }: RunOptions,
  kind: "reports" | "checks",
  name: string,
  sql: string,
): void {
  const folder = join(workingFolder, "data", "own", kind);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.sql`), sql);
}

const longest = `-- The longest play of each zone.
--
-- Title: Longest plays
-- Columns:
--   longest_seconds   Longest play (seconds): Its longest play in the period.
-- Links:
--   longest_seconds   single-plays?zone={zone_id}

select z.zone_id, z.zone_name, max(f.duration_secs) as longest_seconds, 0.5 as availability
from fact_play as f
inner join chosen_zone as z on z.zone_id = f.zone_id
inner join period as d on d.date = f.date
group by z.zone_id, z.zone_name
order by z.zone_id;
`;

it("a custom report is a command with options, formats, sorting, labels, help and completion", async () => {
  const setup = await setUpPlays();
  writeCustom(setup, "reports", "longest", longest);
  const [from, to] = ["2026-11-01", "2026-11-20"];
  const words = ["report", "longest", "--from", from, "--to", to, "--group", "Bars", "--sort=-zone_id"];
  const json = await runVenue([...words, "--format", "json"], setup);
  expect(json.code, json.stderr).toBe(0);
  const longestOf = new Map<number, number>();
  for (const { zoneId, local, durationSecs } of generatePlays()) {
    const date = local.slice(0, 10);
    if (![11, 12, 13].includes(zoneId) || date < from || date > to) continue;
    longestOf.set(zoneId, Math.max(longestOf.get(zoneId) ?? 0, durationSecs));
  }
  const rows: Record<string, unknown>[] = JSON.parse(json.stdout);
  expect(rows.map((row) => [row.zone_id, row.longest_seconds])).toEqual(
    [...longestOf].sort(([a], [b]) => b - a),
  );

  const csv = await runVenue(["report", "longest", "--format", "csv"], setup);
  expect(csv.stdout).toMatch(/^zone_id,zone_name,longest_seconds,availability,location_name\r\n11,Bar,/);
  const workbook = join(setup.workingFolder, "longest.xlsx");
  await runVenue(["report", "longest", "--out", workbook], setup);
  const [sheet] = (await readXlsx(readFileSync(workbook))).sheets;
  expect(sheet?.rows[0]).toEqual(["Zone id", "Zone", "Longest play", "Availability", "Location"]);
  const page = await runVenue(["report", "longest", "--format", "html"], setup);
  // A label from its header, and one inherited by a known name, with its format.
  expect(page.stdout).toMatch(
    /<h1>Longest plays<\/h1>\s*<p class="headline">The longest play of each zone\.</,
  );
  expect(page.stdout).toMatch(/Longest play<\/th><th[^>]*>Availability<\/th>/);
  expect(page.stdout).toMatch(/<td class="number[^"]*" data-value="0.5">50(\.0)?\s%<\/td>/);
  expect(page.stdout).toContain("Its longest play in the period.");

  const help = await runVenue(["report", "--help"], setup);
  expect(help.stdout.replaceAll(/\s+/g, " ")).toContain(
    "longest The longest play of each zone. (own/reports/longest.sql)",
  );
  const described = await runVenue(["help", "longest"], setup);
  expect(described.stdout).toContain("longest_seconds (Longest play): Its longest play in the period.");
  expect(described.stdout).toContain(
    "Options: --from, --to, --compare, --group, --location, --zone, --where, --sort, --search",
  );
  const column = await runVenue(["help", "longest_seconds"], setup);
  expect(column.stdout).toBe(
    "longest_seconds (Longest play): Its longest play in the period.\nIn: longest\n",
  );
  expect((await runVenue(["complete", "--", "report", ""], setup)).stdout.split("\n")).toContain("longest");
  expect((await runVenue(["report", "longes"], setup)).stderr).toContain("Did you mean longest?");
  for (const [option, value] of [
    ["--campaign", "3"],
    ["--by", "zone"],
    ["--top", "3"],
  ] as const) {
    const refused = await runVenue(["report", "longest", option, value], setup);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `venue: The longest report does not take ${option}.\n`,
    ]);
  }
  const split = await runVenue(["report", "longest", "--split", "zone", "--out", "{zone}.csv"], setup);
  expect([split.code, split.stderr]).toEqual([
    2,
    "venue: The longest report does not take --split, because it is a custom report. Filter its zones instead.\n",
  ]);
  expect(await runVenue(["report", "longest", "--explain"], setup)).toMatchObject({
    code: 2,
    stderr: "venue: The longest report does not take --explain; compliance does.\n",
  });
});

it("a custom report may end with semicolons and comments, and keeps its text", async () => {
  const setup = await setUpPlays();
  writeCustom(
    setup,
    "reports",
    "ends",
    "select zone_id, ';-- 1' as t from dim_zone;; -- done;\n/* all; */ ;\n",
  );
  for (const words of [["--sort=-zone_id"], ["--search", "1"], []]) {
    const { stdout, stderr } = await runVenue(["report", "ends", ...words, "--format", "json"], setup);
    const rows: { t: string }[] = JSON.parse(stdout);
    expect([rows.length, rows[0]?.t], stderr).toEqual([6, ";-- 1"]);
  }
  const page = await runVenue(["report", "ends", "--format", "html"], setup);
  expect(page.code, page.stderr).toBe(0);
});

it("custom files are found in VENUE_OWN_DIR", async () => {
  const setup = await setUpPlays();
  const folder = join(setup.workingFolder, "analysts");
  mkdirSync(join(folder, "reports"), { recursive: true });
  writeFileSync(join(folder, "reports", "all-zones.sql"), "select count(*) as zones from dim_zone");
  const { stdout } = await runVenue(
    ["report", "all-zones", "--own-dir", "analysts", "--format", "csv"],
    setup,
  );
  expect(stdout).toBe("zones\r\n6\r\n");
});

it.each([
  ["select zone_id,\n  zone_nam\nfrom dim_zone", ':2:3: Referenced column "zone_nam" not found'],
  ["-- Zones.\n\nselect ü.zone_id, 'é' as e, zone_nam from chosen_zone as ü", ":3:29: Referenced column"],
  ["with a as (select 1 as n)\nselect n frm b c from a", ":2:"],
  ["select * from dim_zon", ":1:15: the table dim_zon is not published. Did you mean dim_zone?"],
  ["select * from core.play", ":1:15: the table core.play is not published."],
  ["select * from '/etc/hostname'", ":1:15: the table /etc/hostname is not published."],
  ["select * from read_text('/etc/hostname')", ":1:15: read_text() may access unpublished data."],
  ["select * from dim_zone where zone_id = ?", "parameters (?) are not available here."],
  ["select 1 as a; select 2 as a", "Write exactly one select."],
  ["", "Write exactly one select."],
  ["delete from dim_zone", "Write exactly one select."],
  ["with period as (select 1 as a) select * from period", "the file defines period, a relation of reports."],
  [
    "-- Columns:\n--   a  bad\nselect 1 as a",
    'wrong.sql, column a: "bad" should be Label (unit): Definition.',
  ],
  ["select cast(zone_name as integer) as n from dim_zone", ":1:8: Could not convert string"],
])("a mistake in %j is reported with its position", async (sql, problem) => {
  const setup = await setUpPlays();
  writeCustom(setup, "reports", "wrong", sql);
  const { code, stderr } = await runVenue(["report", "wrong"], setup);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^venue: own\/reports\/wrong\.sql/);
  expect(stderr).toContain(problem);
});

it("a custom report that does not end is stopped", async () => {
  const setup = await setUpPlays();
  writeCustom(
    setup,
    "reports",
    "endless",
    "with recursive r as (select 1 as n union all select n + 1 from r) select sum(n) as n from r",
  );
  const { code, stderr } = await runVenue(["report", "endless", "--own-seconds", "1"], setup);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("own/reports/endless.sql did not end within 1 second"),
  ]);
});

const weekly = `select z.zone_id, p.week, cast(count(*) as bigint) as plays
from fact_play as f
inner join chosen_zone as z on z.zone_id = f.zone_id
inner join period as p on p.date = f.date
group by z.zone_id, p.week`;

it("a custom report by week is compared in order, each week with the one before", async () => {
  const setup = await setUpPlays();
  writeCustom(setup, "reports", "weekly", weekly);
  const words = ["report", "weekly", "--from", "2026-11-02", "--to", "2026-11-15", "--compare", "before"];
  const { stdout, stderr } = await runVenue([...words, "--format", "json"], setup);
  const playsOf = new Map<string, number>();
  for (const { zoneId, local } of generatePlays()) {
    const key = `${zoneId} ${formatWeek(local.slice(0, 10))}`;
    playsOf.set(key, (playsOf.get(key) ?? 0) + 1);
  }
  const rows: Record<string, unknown>[] = JSON.parse(stdout);
  expect(
    rows.map((row) => [row.zone_id, row.week, row.week_then, row.plays, row.plays_then]),
    stderr,
  ).toEqual(
    [11, 12, 13, 14, 15].flatMap((zone) =>
      [
        ["2026-W45", "2026-W43"],
        ["2026-W46", "2026-W44"],
      ].map(([week, then]) => [
        zone,
        week,
        then,
        playsOf.get(`${zone} ${week}`) ?? 0,
        playsOf.get(`${zone} ${then}`) ?? 0,
      ]),
    ),
  );
  const early = ["report", "weekly", "--from", "2026-10-12", "--to", "2026-10-18", "--compare", "before"];
  const without = await runVenue([...early, "--format", "md"], setup);
  expect(without.stdout).toContain("The periods can't be compared: no day has complete data in both.");
});

it("a compared report keeps its order, and has blanks for what a period lacks", async () => {
  const setup = await setUpPlays();
  const sql = `select z.zone_id, cast(count(*) as bigint) as plays
from chosen_zone as z
inner join period as p on z.zone_id < 13 or p.date >= date '2026-11-09'
where z.zone_id < 16 and (z.zone_id > 11 or p.date < date '2026-11-09')
group by z.zone_id
order by z.zone_id % 2, z.zone_id desc`;
  writeCustom(setup, "reports", "ordered", sql);
  const words = ["report", "ordered", "--from", "2026-11-09", "--to", "2026-11-11", "--compare", "before"];
  const { stdout, stderr } = await runVenue([...words, "--format", "json"], setup);
  const rows: Record<string, unknown>[] = JSON.parse(stdout);
  expect(
    rows.map((row) => [row.zone_id, row.plays, row.plays_then, row.plays_change]),
    stderr,
  ).toEqual([
    [14, 3, null, null],
    [12, 3, 3, 0],
    [15, 3, null, null],
    [13, 3, null, null],
    [11, null, 3, null],
  ]);
});

it("rows are ordered by labels if only a comment or a window mentions an order", async () => {
  const setup = await setUpPlays();
  const sql = `-- Not with order by.
select z.zone_id, cast(count(*) as bigint) as plays, min(row_number_) as first_row
from (select f.*, row_number() over (order by f.played_at desc) as row_number_ from fact_play as f) as f
inner join chosen_zone as z on z.zone_id = f.zone_id
inner join period as p on p.date = f.date
group by z.zone_id`;
  writeCustom(setup, "reports", "unordered", sql);
  const words = ["report", "unordered", "--from", "2026-11-09", "--to", "2026-11-11", "--compare", "before"];
  const { stdout, stderr } = await runVenue([...words, "--format", "json"], setup);
  expect(
    JSON.parse(stdout).map((row: Record<string, unknown>) => row.zone_id),
    stderr,
  ).toEqual([11, 12, 13, 14, 15]);
});

it.each([
  [
    "select p.date as day, count(*) as plays from fact_play as f inner join period as p on p.date = f.date group by p.date",
    "periods can't be compared with the column day. Rows over time need one column: date, week, month or quarter",
  ],
  [
    "select p.week, p.month, count(*) as plays from fact_play as f inner join period as p on p.date = f.date group by p.week, p.month",
    "periods can't be compared with the column month",
  ],
  [
    // Only the other period has two rows.
    "select p.date, 1 as plays from period as p union all select p.date, 2 as plays from period as p where p.date < date '2026-11-02'",
    "several rows have the same date, so periods can't be compared",
  ],
])("a custom report %j can't be compared, with the reason", async (sql, problem) => {
  const setup = await setUpPlays();
  writeCustom(setup, "reports", "odd", sql);
  const words = ["report", "odd", "--from", "2026-11-02", "--to", "2026-11-08", "--compare", "before"];
  const { code, stderr } = await runVenue(words, setup);
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
});

it.each(["plays", "index", "Big"])("a custom report named %s is refused", async (name) => {
  const setup = await setUpPlays();
  const { code, stderr } = await runVenue(["own", "new", "report", name], setup);
  expect([code, stderr.length > 0]).toEqual([2, true]);
});

it("new examples run, and venue own test shows rows and mistakes", async () => {
  const setup = await setUpPlays();
  const empty = await runVenue(["own", "test"], setup);
  expect([empty.code, empty.stdout]).toEqual([
    0,
    expect.stringContaining("Begin with: venue own new report NAME"),
  ]);
  for (const [kind, name] of [
    ["report", "busy-days"],
    ["check", "quiet_zones"],
  ] as const) {
    const { code, stderr } = await runVenue(["own", "new", kind, name], setup);
    expect(code, stderr).toBe(0);
  }
  const again = await runVenue(["own", "new", "report", "busy-days"], setup);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("exists already")]);
  const { stdout, code, stderr } = await runVenue(["own", "test", "--json"], setup);
  expect(code, stderr).toBe(0);
  const { reports, checks } = JSON.parse(stdout);
  const plays = generatePlays().filter(({ local }) => local.startsWith("2026-10-23"));
  expect(reports).toMatchObject([{ file: "own/reports/busy-days.sql", rows: 28 }]);
  expect(reports[0].sample[0]).toEqual({
    date: "2026-10-23",
    plays: plays.length,
    zones: 5,
    plays_per_zone: plays.length / 5,
  });
  expect(checks).toMatchObject([{ file: "own/checks/quiet_zones.sql", rows: 0 }]);

  const [from, to] = ["2026-11-10", "2026-11-12"];
  const words = ["report", "busy-days", "--from", from, "--to", to, "--compare", "before"];
  const compared = await runVenue([...words, "--format", "json"], setup);
  const playsOf = (date: string) => generatePlays().filter(({ local }) => local.startsWith(date)).length;
  const rows: Record<string, unknown>[] = JSON.parse(compared.stdout);
  expect(rows.map((row) => [row.date, row.date_then, row.plays, row.plays_then, row.plays_change])).toEqual(
    listDaysBetween(from, to).map((date) => {
      const then = addDays(date, -3);
      return [date, then, playsOf(date), playsOf(then), playsOf(date) - playsOf(then)];
    }),
  );
  const page = await runVenue(["report", "busy-days", "--format", "html"], setup);
  expect(page.stdout).toMatch(/<figcaption><h2[^>]*>Plays by date<\/h2><p>75 every complete day\./);

  writeCustom(setup, "checks", "no-header", "select 1 as a");
  writeCustom(
    setup,
    "checks",
    "two-rows",
    "-- No rows.\n-- Severity: error\n\nselect 1 as a union all select 2",
  );
  const text = await runVenue(["own", "test"], setup);
  expect(text.code).toBe(1);
  expect(text.stdout).toMatch(/^ok {4}own\/checks\/quiet_zones\.sql: 0 failing rows in /m);
  expect(text.stdout).toMatch(/^runs {2}own\/checks\/two-rows\.sql: 2 failing rows \(error\) in /m);
  expect(text.stdout).toContain("FAIL  own/checks/no-header.sql: the header must state what holds");
  const example = readFileSync(join(setup.workingFolder, "data/own/reports/busy-days.sql"), "utf8");
  expect(example).toContain("-- Title: Busy days");
  writeCustom(setup, "reports", "no-unit", "-- Columns:\n--   a  bad\nselect 1 as a");
  const [, units = ""] = /units are (.*)/.exec((await runVenue(["report", "no-unit"], setup)).stderr) ?? [];
  expect(example.replaceAll(/\n-- +/g, " ")).toContain(`Units: ${units}.`);
});

it("copies each example, which then runs, and lists those that exist", async () => {
  const setup = await setUpPlays();
  const examples = ["reports", "checks"].flatMap((folder) =>
    readdirSync(join(packageRoot, "data/examples/own", folder)).map((file) => [
      folder.slice(0, -1),
      file.replace(".sql", ""),
    ]),
  );
  for (const [kind = "", example = ""] of examples) {
    const { code, stderr } = await runVenue(["own", "new", kind, `my-${example}`, "--from", example], setup);
    expect(code, stderr).toBe(0);
  }
  const { stdout, code } = await runVenue(["own", "test", "--json"], setup);
  const { reports, checks } = JSON.parse(stdout);
  expect([...reports, ...checks].filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect([code, reports.length, checks.length]).toEqual([0, 7, 1]);
  const rows = new Map<string, { rows: number }>(
    reports.map((report: { file: string }) => [report.file, report]),
  );
  for (const example of ["quiet-hours", "unchanged-music", "plays-by-language"])
    expect(rows.get(`own/reports/my-${example}.sql`)?.rows, example).toBeGreaterThan(0);
  const stores = ["report", "my-new-and-lost-stores", "--from", "2026-10-01", "--format", "csv"];
  expect((await runVenue(stores, setup)).stdout.match(/,new,2026-10-12,/g)).toHaveLength(5);
  const missing = await runVenue(["own", "new", "report", "mine", "--from", "nothing"], setup);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining(
      '"nothing" is not an example of reports. The examples are firmware-before-after, ',
    ),
  ]);
});

it("a custom report has a headline with its measures, and a chart", async () => {
  const setup = await setUpPlays();
  const header = (lines: string) => `-- Plays of zones.\n--\n-- Title: Busy zones\n${lines}
select zone_id, zone_name, 3 * zone_id as plays, date '2026-11-02' as last_date from dim_zone where zone_id in (11, 12);
`;
  const written = header(
    "-- Headline: {sum:plays} plays in {count} zones, most {max:plays}, until {max:last_date}.\n-- Chart: ranking plays by zone_name\n",
  );
  writeCustom(setup, "reports", "busy", written);
  const { stdout } = await runVenue(["report", "busy", "--format", "html"], setup);
  expect(stdout).toContain('<p class="headline">69 plays in 2 zones, most 36, until 2 November 2026.</p>');
  expect(stdout).toMatch(/<h2[^>]*>Plays by zone<\/h2>/);
  for (const [line, message] of [
    [
      "-- Headline: {average:plays} plays.\n",
      "the headline has {average:plays}. It takes {count}, and for a column {sum:plays}",
    ],
    [
      "-- Headline: {sum:pays} plays.\n",
      "its headline or chart uses the column pays, which its select does not return. Columns: zone_id,",
    ],
    [
      "-- Chart: ranking plays\n",
      'the chart should be written as in "ranking plays by item_name", not ranking plays',
    ],
  ] as const) {
    writeCustom(setup, "reports", "busy", header(line));
    const tested = await runVenue(["own", "test"], setup);
    expect(tested.code).toBe(1);
    expect(tested.stdout).toContain(`own/reports/busy.sql: ${message}`);
  }
});
