import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { setUp } from "../support/service.ts";

const endless = "with recursive r as (select 1 as n union all select n + 1 from r) select sum(n) as n from r";

it("a run writes custom reports and checks, and reports those that fail without stopping", async () => {
  const setup = await setUp({ days: 3, zones: 2, playScale: 0.1 });
  const own = join(setup.dataFolder, "own");
  const write = (file: string, sql: string) => {
    mkdirSync(join(own, file, ".."), { recursive: true });
    writeFileSync(join(own, file), sql);
  };
  write("reports/all-zones.sql", "-- All zones.\n\nselect zone_id, zone_name from dim_zone order by zone_id");
  write("reports/broken.sql", "select zone_nam from dim_zone");
  write("reports/endless.sql", endless);
  // These have invalid names, or are not text.
  write("reports/plays.sql", "select 1 as a");
  write("reports/No Name.sql", "select 1 as a");
  mkdirSync(join(own, "reports", "folder.sql"));
  writeFileSync(
    join(own, "reports", "latin.sql"),
    Buffer.from("-- Zones.\n-- caf\xe9\nselect 1 as a", "latin1"),
  );
  writeFileSync(
    join(own, "reports", "dos.sql"),
    "\ufeff-- Zones.\r\n\r\nselect zone_nam\r\nfrom dim_zone;\r\n",
  );
  write("checks/empty.sql", "");
  write("checks/broken.sql", "-- It holds.\n-- Severity: error\n\nselect zone_nam from dim_zone");
  write("checks/no-zones.sql", "-- There are no zones.\n-- Severity: warn\n\nselect zone_id from dim_zone");
  setup.environment.VENUE_OWN_SECONDS = "1";

  const run = await runVenue(["run", "--json"], setup);
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('own/reports/broken.sql:1:8: Referenced column "zone_nam" not found');
  expect(run.stderr).toContain("own/reports/endless.sql did not end within 1 second");
  const { own_reports, build } = JSON.parse(run.stdout);
  const failed = (name: string, problem: string) => ({ name, problem: expect.stringContaining(problem) });
  expect(own_reports).toEqual([
    failed("No Name", "own/reports/No Name.sql can't be used: its name must be lower-case letters"),
    { name: "all-zones", problem: null },
    failed("broken", "own/reports/broken.sql:1:8"),
    failed("dos", "own/reports/dos.sql:3:8"),
    failed("endless", "own/reports/endless.sql did not end within 1 second"),
    failed("folder", "own/reports/folder.sql can't be read (it is not a file). Replace or remove it."),
    failed("latin", "own/reports/latin.sql is not UTF-8 in line 2. Save it as UTF-8."),
    failed("plays", "own/reports/plays.sql has the name of another page. Rename it."),
  ]);
  expect(build.checks.slice(-3)).toEqual([
    expect.objectContaining({ file: "own/checks/broken.sql", severity: "warn", failing_rows: 0 }),
    expect.objectContaining({ file: "own/checks/empty.sql", severity: "warn", failing_rows: 0 }),
    expect.objectContaining({ file: "own/checks/no-zones.sql", severity: "warn", failing_rows: 2 }),
  ]);

  const latest = join(setup.dataFolder, "reports", "latest");
  const read = (file: string) => readFileSync(join(latest, file), "utf8");
  expect(read("all-zones.csv").split("\r\n")).toHaveLength(4);
  expect(read("all-zones.md")).toContain("| zone_id |");
  expect(read("all-zones.html")).toContain('<p class="headline">All zones.</p>');
  expect(read("broken.html")).toContain("This report could not be created.");
  expect(read("broken.html")).toContain("own/reports/broken.sql:1:8");
  expect(existsSync(join(latest, "broken.csv"))).toBe(false);
  const index = read("index.html");
  for (const name of ["all-zones", "broken", "endless"]) expect(index).toContain(`href="${name}.html"`);
  expect(index).toContain("There are no zones.");
  expect(index).toContain("2 failing rows.");
  expect(index).toContain('<a href="all-zones.xlsx" download>');
  expect(existsSync(join(latest, "all-zones.xlsx"))).toBe(true);
  // Files with invalid names replace no page.
  expect(index).toContain("own/reports/plays.sql has the name of another page");
  expect(existsSync(join(latest, "No Name.html"))).toBe(false);
  expect(existsSync(join(latest, "plays.csv"))).toBe(true);
  expect(read("plays.html")).toContain('<a href="all-zones.html">All zones</a>');
  expect(read("plays.html")).not.toContain("This report could not be created.");

  // The dictionary describes those that can be read.
  const dictionary = readFileSync(join(setup.dataFolder, "published/current/dictionary.html"), "utf8");
  const [, described = ""] = dictionary.split('<h2 id="own">');
  expect(described).toContain("All zones <small>report</small>");
  expect(described).toContain("There are no zones. <small><code>own/checks/no-zones.sql</code></small>");
  expect(described).toContain('Reads <a href="#dim_zone">');
  expect(described).not.toContain("own/reports/plays.sql");

  // Like a built-in check, a custom check of severity error prevents the publish.
  rmSync(join(own, "reports"), { recursive: true });
  write("checks/no-zones.sql", "-- There are no zones.\n-- Severity: error\n\nselect zone_id from dim_zone");
  const build2 = await runVenue(["build"], setup);
  expect(build2.code).toBe(1);
  expect(build2.stdout).toContain(
    "ERROR own/checks/no-zones.sql: 2 rows fail. Expected: There are no zones.",
  );
  expect(build2.stdout).toContain("Not published");
});
