import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { ask, linksOf, serveForTest } from "./served.ts";

it("a custom report has a page with its options, links, sorting and downloads", async () => {
  const { origin } = await serveForTest();
  const { text } = await ask(origin, "/");
  const address = linksOf(text).find((link) => link.startsWith("/repeated-songs")) ?? "";
  const page = await ask(origin, address);
  expect(page.status).toBe(200);
  expect(page.text).toMatch(/aria-current="page">Repeated songs</);
  expect(page.text).toContain('<input type="text" name="zone"');
  expect(page.text).not.toContain('name="campaign"');
  const links = linksOf(page.text);
  const target = links.find((link) => /^\/single-plays\?.*&zone=/.test(link)) ?? "";
  expect(target).toMatch(/from=(\d{4}-\d{2}-\d{2})&to=\1&zone=\d+&kind=music&item=\d+/);
  expect((await ask(origin, target)).status).toBe(200);
  const sorted = links.find((link) => link.includes("sort=-repeats")) ?? "";
  expect((await ask(origin, sorted)).status).toBe(200);
  const csv = links.find((link) => link.startsWith("/repeated-songs.csv")) ?? "";
  const zone = (await ask(origin, `${csv}&zone=81009`)).text.trim().split("\r\n").slice(1);
  expect(zone.length).toBeGreaterThan(0);
  expect(zone.filter((line) => !line.includes(",81009,"))).toEqual([]);
  const compared = await ask(origin, "/repeated-songs?compare=before&zone=81009");
  expect([compared.status, compared.text]).toEqual([200, expect.stringContaining("Plays that day, change")]);
  for (const words of ["sort=-repeats", "search=lonely", "compare=before"]) {
    const query = `zone=81009&from=2026-11-14&to=2026-11-20&${words}`;
    const [sql, rows] = await Promise.all(
      ["sql", "csv"].map(async (format) => (await ask(origin, `/repeated-songs.${format}?${query}`)).text),
    );
    // Files have each zone's location in an additional last column.
    const selected = rows?.replaceAll(/,[^,\r]*\r\n/g, "\r\n") ?? "";
    const columns = selected.split("\r\n")[0] ?? "";
    const queried = await runVenue(["query", sql ?? "", "--columns", columns, "--format", "csv"], {
      environment: { VENUE_DATA_DIR: await shareDemoData() },
      workingFolder: await shareDemoData(),
    });
    expect([words, queried.stdout]).toEqual([words, selected]);
    expect(selected.trim().split("\r\n").length).toBeGreaterThan(1);
  }
  const wrong = await ask(origin, "/repeated-songs?campaign=3");
  expect([wrong.status, wrong.text]).toEqual([
    400,
    expect.stringContaining("The repeated-songs report does not take Campaign."),
  ]);
});

it("a download of a custom report whose late row fails does not end like a complete one", async () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, "reports"));
  writeFileSync(
    join(folder, "reports", "late.sql"),
    "-- Numbers.\n\nselect range as n, cast(case when range = 100000 then 'x' else '1' end as integer) as v from range(100001)",
  );
  const { origin } = await serveForTest({ customFolder: folder });
  await expect(ask(origin, "/late.csv")).rejects.toThrow("aborted");
});
