import { afterAll, beforeAll, expect, it } from "vitest";
import { runVenue } from "../support/run-venue.ts";
import { demoNow, shareDemo, shareDemoData } from "../support/shared-demo.ts";
import { ask, linksOf, type Served, startServer } from "./served.ts";

let server: Served;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
});

async function page(path: string): Promise<string> {
  const { status, text } = await ask(server.origin, path);
  expect([path, status]).toEqual([path, 200]);
  return text;
}

/** A page's text, without markup. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

it("the overview answers each question with a status and its rule, and names the worst three", async () => {
  const text = await page("/");
  const shown = textOf(text);
  for (const question of [
    "What played?",
    "Did campaigns run?",
    "Were devices up?",
    "Can the figures be trusted?",
  ])
    expect(shown).toContain(question);
  expect(shown.match(/(good|look at it|bad) (What|Did|Were|Which|Can)/g)).toHaveLength(5);
  expect(shown.match(/Good: /g)).toHaveLength(5);
  const [, worst = ""] = /<ol class="worst">([\s\S]*?)<\/ol>/.exec(text) ?? [];
  expect(worst.match(/<li><a href="\/[a-z]+\?[^"]+">/g)).toHaveLength(3);
  expect(textOf(worst)).toContain("Late Night (signage) missed");
  expect(shown).toContain("How fresh each source is");
  expect(shown).toMatch(/What the last runs did demo , .*: succeeded/);
});

it.each([
  ["/compliance?by=campaign&from=2026-11-01&to=2026-11-17", ["compliance", "--by", "campaign"]],
  [
    "/plays?by=zone,kind&from=2026-11-01&to=2026-11-17&kind=music",
    ["plays", "--by", "zone,kind", "--kind", "music"],
  ],
])("%s shows the rows of venue report, and gives them as CSV", async (path, args) => {
  const { stdout } = await runVenue(
    ["report", ...args, "--from", "2026-11-01", "--to", "2026-11-17", "--format", "csv"],
    {
      environment: { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() },
      workingFolder: await shareDemo(),
    },
  );
  const csv = await ask(server.origin, path.replace("?", ".csv?"));
  expect(csv.text).toBe(stdout);
  expect(csv.headers["content-type"]).toBe("text/csv; charset=UTF-8");
  expect(csv.headers["content-disposition"]).toMatch(/^attachment; filename="[a-z]+\.csv"$/);
  const rows = (await page(path)).match(/<table data-rows>[\s\S]*?<\/table>/)?.[0] ?? "";
  expect(rows.match(/<tr>/g)).toHaveLength(stdout.trimEnd().split("\r\n").length);
});

it.each(["json", "xlsx", "md", "html", "arrow", "parquet"])("rows can be had as %s", async (ending) => {
  const { status, text } = await ask(server.origin, `/uptime.${ending}?by=zone`);
  expect(status).toBe(200);
  expect(text.length).toBeGreaterThan(100);
});

it("from the campaigns to one missed cell and its reason, by links alone", async () => {
  const follow = async (text: string, pattern: RegExp) => {
    const found = pattern.exec(text)?.[1]?.replaceAll("&amp;", "&");
    expect(found, String(pattern)).toBeDefined();
    return await page(found ?? "");
  };
  const campaigns = await page("/compliance?by=campaign");
  const zones = await follow(campaigns, /<a href="([^"]*)">Late Night<\/a>/);
  expect(textOf(zones)).toContain("Compliance › Late Night".replace(" ›", ""));
  const days = await follow(zones, /<bdi><a href="([^"]*by=date[^"]*)">/);
  const cell = await follow(days, /<a href="(\/cell[^"]*)">2026-11-03<\/a>/);
  expect(textOf(cell)).toMatch(/How a cell of compliance came about/);
  expect(textOf(cell)).toContain("Late Night in ");
  // And back, by the way that led here.
  const crumbs = /<nav class="crumbs"[\s\S]*?<\/nav>/.exec(cell)?.[0] ?? "";
  expect(linksOf(crumbs)).toHaveLength(3);
  for (const link of linksOf(crumbs)) await page(link);
});

it("a form's empty fields, and lists of several, become the short address", async () => {
  const { status, headers } = await ask(
    server.origin,
    "/plays?from=2026-11-01&to=2026-11-07&by=zone&by=kind&zone=&location=&group=&top=",
  );
  expect(status).toBe(302);
  expect(headers.location).toBe("/plays?by=kind,zone&from=2026-11-01&to=2026-11-07");
});

it("says which command gives the same", async () => {
  expect(await page("/compliance?by=zone&campaign=2&kind=signage&from=2026-11-01&to=2026-11-17")).toContain(
    "venue report compliance --by zone --from 2026-11-01 --to 2026-11-17 --kind signage --campaign 2 --as-of v000001",
  );
});

it("a version that is no longer kept is replaced by the current one, with a note", async () => {
  const text = await page("/plays?by=zone&as-of=v000000");
  expect(textOf(text)).toContain("Version v000000 is no longer kept. This is v000001.");
});
