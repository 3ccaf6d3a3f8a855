import { expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { demoNow, shareDemo, shareDemoData } from "../support/shared-demo.ts";
import { commandsOf } from "./shell-commands.ts";

type Row = Readonly<Record<string, unknown>>;

/** Runs a recipe of docs/analyst.md, which must be there to the letter, on the demo. */
async function answer(recipe: string): Promise<Row[]> {
  const args = recipe.split(" ");
  expect(commandsOf("docs/analyst.md").map((command) => command.args.join(" "))).toContain(recipe);
  const environment = { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() };
  const { code, stdout, stderr } = await runVenue([...args, "--format", "json"], {
    environment,
    workingFolder: await shareDemo(),
  });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

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
