import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { runVenue } from "../support/run-venue.ts";
import { demoNow, shareDemo, shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { commandsOf, questionsOf } from "./shell-commands.ts";

const page = "docs/questions.md";

type Row = Readonly<Record<string, unknown>>;

/** Runs a command of docs/questions.md, which must be there to the letter, on the demo. */
async function answer(recipe: string): Promise<Row[]> {
  const args = recipe.split(" ");
  expect(commandsOf(page).map((command) => command.args.join(" "))).toContain(recipe);
  const environment = { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() };
  const { code, stdout, stderr } = await runVenue([...args, "--format", "json"], {
    environment,
    workingFolder: await shareDemo(),
  });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

it("answers the first questions as the page says", async () => {
  const commands = questionsOf(page).map(({ command }) => command.args);
  const environment = { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() };
  const workingFolder = createTempFolder();
  const answers: { rows: Row[]; text: string }[] = [];
  for (const args of commands) {
    const isFile = args.includes("--out") || args[0] === "proof";
    const words = isFile ? args : [...args, "--format", "json"];
    const { code, stdout, stderr } = await runVenue(words, { environment, workingFolder });
    expect(code, `${args.join(" ")}: ${stderr}`).toBe(0);
    answers.push({
      rows: isFile ? [] : JSON.parse(stdout),
      text: `${stderr}${stdout}`.replaceAll("\u00a0", " "),
    });
  }
  const sum = (rows: readonly Row[], column: string) =>
    rows.reduce((total, row) => total + Number(row[column]), 0);
  const [
    played,
    stores,
    silences,
    hours,
    down,
    missed,
    sheets,
    proof,
    verified,
    outside,
    uptime,
    shares,
    repeats,
    delivery,
    impressions,
    availability,
    schedule,
    cities,
  ] = answers;
  expect(played?.rows[0]).toMatchObject({
    ...{ item_name: "Lonely Highway 1 (Remastered)", plays: 198, plays_change: -5 },
  });
  expect(stores?.text).toMatch(/Plays fell by 2\.6 %: .+ Largest decreases: Sunset Gym /);
  expect(stores?.rows.find(({ status }) => status === "bad")).toMatchObject({
    location_name: "Kantstraße Markt",
  });
  expect(silences?.rows).toHaveLength(5);
  expect(silences?.rows[0]).toMatchObject({ zone_name: "Pico Deli", quiet_seconds: 16_095 });
  const europe = hours?.rows.filter(({ region }) => region === "Europe").map(({ hour }) => hour);
  expect(europe).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
  expect(down?.rows).toMatchObject([{ zone_name: "Pico Deli", last_online_at: "2026-11-21T09:00:00Z" }]);
  expect(missed?.rows.toSorted((a, b) => Number(b.missed_days) - Number(a.missed_days))[0]).toMatchObject({
    ...{ campaign_name: "Late Night", zone_name: "Kantstraße Markt" },
    ...{ reason: "not_due_while_open", missed_days: 21, first_missed_date: "2026-10-24" },
  });
  expect(sheets?.text).toContain("4 files written, one per manager");
  expect(proof?.text).toContain("it ran on 92 and");
  expect(verified?.text).toMatch(/^Signed by this key \(\w+\), unchanged: /);
  expect(outside?.rows).toEqual([]);
  expect(uptime?.rows.map(({ model, availability }) => [model, Number(availability).toFixed(3)])).toEqual([
    ["MP-3", "0.988"],
    ["MP-4", "1.000"],
    ["SB-20", "1.000"],
    ["SB-20", "1.000"],
  ]);
  const west = shares?.rows.filter(({ region }) => region === "US West") ?? [];
  expect(west.find(({ advertiser }) => advertiser === "Fresh & Co")?.share_of_plays).toBeCloseTo(0.558, 3);
  expect(sum(west, "share_of_plays")).toBeCloseTo(1, 9);
  expect(sum(repeats?.rows ?? [], "repeats")).toBe(57_216);
  expect(repeats?.rows.toSorted((a, b) => Number(b.repeats) - Number(a.repeats))[0]).toMatchObject({
    ...{ item_name: "Gift Card", zone_name: "Alex Fitness" },
  });
  expect(delivery?.rows[0]).toMatchObject({ campaign_name: "Late Night", delivered: 1034, expected: 1360 });
  expect(impressions?.rows.find(({ advertiser }) => advertiser === "Fresh & Co")).toMatchObject({
    ...{ impressions: 17_016.5, impression_coverage: expect.closeTo(0.514, 3) },
  });
  expect(availability?.text).toMatch(
    /Availability while open of region India .+: 95\.070 %; agreed by month: 97 %/,
  );
  expect(schedule?.rows[0]).toMatchObject({ campaign_name: "Late Night", ends_in_days: 11 });
  expect(cities?.rows[0]).toMatchObject({ city: "Bengaluru" });
  expect(Number(cities?.rows[0]?.availability).toFixed(3)).toBe("0.955");
});

it("lists first which zones never played a campaign, with the day since when", async () => {
  const rows = await answer(
    "report compliance --by campaign,zone --only missed,missed_offline --sort compliance",
  );
  const never = rows.filter((row) => row.compliant_days === 0);
  expect(never.length).toBeGreaterThan(0);
  expect(never).toEqual(rows.slice(0, never.length));
  for (const row of rows) {
    expect(row.last_played_date === null).toBe(row.compliant_days === 0);
    if (row.last_played_date === null) expect(row.first_missed_date).toMatch(/^2026-/);
    else if (row.first_missed_date !== null)
      expect(String(row.first_missed_date) > String(row.last_played_date)).toBe(true);
  }
});

it("shows availability before and after a firmware update", async () => {
  const rows = await answer("report uptime --by firmware");
  expect(rows.map((row) => row.firmware)).toEqual(["2.11.0", "2.12.0", "4.2.1"]);
  expect(rows.map((row) => typeof row.availability)).toEqual(["number", "number", "number"]);
  const zones = await answer("report uptime --by zone,firmware");
  const updated = zones.filter((row) => row.firmware === "2.12.0").map((row) => row.zone_id);
  expect(updated.length).toBeGreaterThan(0);
  expect(zones.filter((row) => row.firmware === "2.11.0").map((row) => row.zone_id)).toEqual(updated);
});

it("lists the silences that uptime sums up", async () => {
  const silences = await answer("report silences --top 20");
  const uptime = await answer("report uptime --by firmware");
  const sum = (rows: readonly Row[]) => rows.reduce((all, row) => all + Number(row.silent_seconds), 0);
  expect(sum(silences)).toBe(sum(uptime));
});

it("lists first which zones got worse", async () => {
  const rows = await answer("report compliance --by zone --compare before --sort compliance_change");
  const changes = rows.flatMap((row) =>
    row.compliance_change === null ? [] : [Number(row.compliance_change)],
  );
  expect(changes.length).toBeGreaterThan(0);
  expect(changes).toEqual([...changes].sort((a, b) => a - b));
  expect((await answer("report uptime --by zone --compare before --sort availability_change")).length).toBe(
    12,
  );
});

it("finds songs that a zone repeated, by its plays", async () => {
  const environment = { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() };
  const words = ["report", "plays", "--kind", "music", "--by", "zone,item,date", "--format", "json"];
  const { stdout } = await runVenue(words, { environment, workingFolder: await shareDemo() });
  const plays: Row[] = JSON.parse(stdout);
  const keyOf = (row: Row, count: unknown) => `${row.date} ${row.zone_id} ${row.item_id} ${count}`;
  const expected = plays.filter((row) => Number(row.plays) > 10).map((row) => keyOf(row, row.plays));
  expect(expected.length).toBeGreaterThan(0);
  const rows = await answer("report repeated-songs");
  expect(rows.map((row) => keyOf(row, row.repeats)).sort()).toEqual(expected.sort());
});

it("finds plays more than 15 minutes outside opening hours", async () => {
  const workingFolder = createTempFolder();
  const checks = join(workingFolder, "data", "own", "checks");
  mkdirSync(checks, { recursive: true });
  copyFileSync(
    join(packageRoot, "data/examples/own/checks/plays-outside-hours.sql"),
    join(checks, "plays-outside-hours.sql"),
  );
  const dates = ["2026-11-13", "2026-11-14", "2026-11-20"];
  const times = ["07:44:59", "07:45:00", "12:00:00", "20:14:59", "20:15:00", "23:00:00"];
  await publishFixture(join(workingFolder, "data", "published"), {
    version: "v000001",
    dataAsOf: "2026-11-20T23:30:00.000Z",
    rows: {
      dim_zone: [{ zone_id: 1, zone_name: "Bar" }],
      fact_zone_opening: dates.map((date) => ({
        ...{ zone_id: 1, date, opens_at: `${date} 08:00:00`, closes_at: `${date} 20:00:00` },
      })),
      fact_play: dates.flatMap((date) =>
        times.map((time) => ({
          ...{ kind: "music", zone_id: 1, item_key: 4, date, duration_secs: 60 },
          ...{ played_at: `${date}T${time}Z`, played_at_local: `${date}T${time}` },
        })),
      ),
    },
  });
  const { code, stdout } = await runVenue(["own", "test"], { environment: {}, workingFolder });
  expect(code).toBe(0);
  expect(stdout).toContain("plays-outside-hours.sql: 2 failing rows");
  const rows = stdout
    .split("\n")
    .flatMap((line) => (line.includes('"plays"') ? [JSON.parse(line) as Row] : []));
  expect(rows.map(({ date, plays }) => [date, plays])).toEqual([
    ["2026-11-14", 3],
    ["2026-11-20", 3],
  ]);
});
