import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";

itInAll(
  "the quality report lists what the last run could not do; reference check lists invalid lines",
  async () => {
    const setup = await setUp({ days: 4, zones: 2, playScale: 0.2 });
    const first = await runVenue(["run"], setup);
    expect(first.code, first.stderr).toBe(0);
    const unfinished = async () => {
      const { stdout } = await runVenue(["report", "quality", "--format", "json"], setup);
      const rows: { section: string; subject: string; value: string }[] = JSON.parse(stdout);
      return rows.filter(({ section }) => section === "unfinished");
    };
    expect(await unfinished()).toEqual([]);
    const groups = setup.environment.VENUE_GROUP_IDS;
    setup.environment.VENUE_GROUP_IDS = `${groups},999`;
    expect((await runVenue(["run"], setup)).code).toBe(3);
    setup.environment.VENUE_GROUP_IDS = groups ?? "";
    const rows = await unfinished();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ subject, value }) => subject.includes("999") && value === "failed")).toBe(true);

    const fine = await runVenue(["reference", "check"], setup);
    expect(fine.code).toBe(0);
    expect(fine.stdout).toContain("opening_hours.csv has no entries yet");
    const hours = join(setup.dataFolder, "reference", "opening_hours.csv");
    writeFileSync(hours, "zone_id,day_of_week,opens,closes\n1,1,09:00,20:00\n1,8,09:00,20:00\n1,2,9,20:00\n");
    const wrong = await runVenue(["reference", "check", "--json"], setup);
    expect(wrong.code).toBe(2);
    const { files } = JSON.parse(wrong.stdout);
    expect(files[2]).toMatchObject({
      name: "opening_hours.csv",
      mistakes: [{ line_number: 3 }, { line_number: 4 }],
    });
  },
);
