import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Machine } from "../../support/machine.ts";
import { onTrinoInAll } from "../support/on-trino.ts";
import type { TrinoWorld } from "./trino-world.ts";

const customFiles = {
  "reports/daily.sql": `-- Plays of each zone on each day.

select z.zone_id, z.date, a.attribute_value as region, cast(sum(f.plays) as bigint) as plays
from fact_play_day as f
inner join chosen_zone_day as z on z.zone_id = f.zone_id and z.date = f.date
left join bridge_zone_attribute as a
  on a.zone_id = z.zone_id and a.attribute_name = 'region' and z.date between a.valid_from and a.valid_to
group by z.zone_id, z.date, a.attribute_value
order by z.zone_id, z.date
`,
  "reports/duck.sql": "select zone_id::varchar as id from dim_zone",
  "reports/wrong.sql": "-- Zones.\n\nselect zone_id,\n  zone_nam\nfrom dim_zone",
  "checks/no-zones.sql": `-- There are no zones.
-- Severity: warn

select zone_id, zone_name from dim_zone order by zone_id`,
  "checks/duck.sql":
    "-- Ids are texts.\n-- Severity: error\n\nselect zone_id::varchar as id from dim_zone where zone_id::varchar = ''",
  "checks/wrong.sql": "-- Zones.\n-- Severity: error\n\nselect zone_nam from dim_zone",
};

/** Gives both builders custom reports and checks, and zones attributes. */
export function writeCustomFiles({ world, here, onTrino }: TrinoWorld): void {
  const ofWorld = world.emulator.world.zones.map(({ zoneId }) => zoneId);
  // The latter are those of the added plays.
  const zoneIds = [...ofWorld, 1000, 1001, 1002, 1003];
  write(here, {
    "reference/zone_attributes.csv": [
      "zone_id,region,valid_from,valid_to",
      ...zoneIds.map((zone, index) => `${zone},${index % 3 === 0 ? "North" : "South"},,2026-11-10`),
      ...zoneIds.map((zone, index) => `${zone},${index % 2 === 0 ? "North" : "South"},2026-11-11,`),
    ].join("\n"),
  });
  const files = Object.entries(customFiles).map(([file, sql]) => [`own/${file}`, sql]);
  for (const machine of [here, onTrino]) write(machine, Object.fromEntries(files));
}

function write({ setup }: Machine, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(setup.dataFolder, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
  }
}

interface CustomCheck {
  file?: string;
  failing_rows: number;
  problem?: string;
}

export function testCustomFiles(shared: () => TrinoWorld): void {
  onTrinoInAll(
    "a custom report has the same rows, filtered by an attribute, sorted and compared",
    async () => {
      const always = ["--from", "2025-10-01", "--to", "2026-12-31"];
      for (const words of [
        [...always, "--where", "region=North"],
        [...always, "--where", "region=South", "--sort=-plays", "--search", "100"],
        ["--where", "region=North", "--compare", "before"],
      ]) {
        const asked = ["report", "daily", ...words, "--format", "csv"];
        const { stdout } = await shared().here.run(...asked);
        expect(stdout.split("\r\n").length, words.join(" ")).toBeGreaterThan(4);
        expect((await shared().onTrino.run(...asked)).stdout).toBe(stdout);
      }
    },
  );

  onTrinoInAll("a custom check has the same failures, and one that is not portable is named", async () => {
    const check = async (machine: Machine): Promise<CustomCheck[]> => {
      const { stdout } = await machine.try("check", "--json");
      const { checks }: { checks: CustomCheck[] } = JSON.parse(stdout);
      return checks.filter(({ file }) => file !== undefined);
    };
    const [duck, zones, wrong] = await check(shared().onTrino);
    expect(zones?.failing_rows).toBeGreaterThan(1);
    // A cluster returns the failing rows in any order.
    expect(zones?.failing_rows).toBe((await check(shared().here))[1]?.failing_rows);
    expect(duck).toMatchObject({ file: "own/checks/duck.sql", failing_rows: 0 });
    expect(duck?.problem).toContain("own/checks/duck.sql:4: mismatched input ':'");
    expect(wrong?.problem).toContain("own/checks/wrong.sql:4: Column 'zone_nam' cannot be resolved");
  });

  onTrinoInAll("venue own test runs on the cluster, and names what is not portable or wrong", async () => {
    const { stdout, code } = await shared().onTrino.try("own", "test");
    expect(code).toBe(1);
    expect(stdout).toMatch(/ok {4}own\/reports\/daily\.sql: \d+ rows in/);
    for (const place of ["reports/duck.sql:1", "checks/duck.sql:4"])
      expect(stdout).toContain(`FAIL  own/${place}: mismatched input ':'`);
    expect(stdout).toMatch(/FAIL {2}own\/reports\/wrong\.sql:4:3: /);
    expect(stdout).toMatch(/runs {2}own\/checks\/no-zones\.sql: \d+ failing rows/);
  });
}
