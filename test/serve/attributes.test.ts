import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { attributedPlays, attributedWorld, period, regionOf } from "../report/attributed-world.ts";
import type { WorldPlay } from "../report/plays-world.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { tempPrefix } from "../support/temp-folder.ts";
import { ask, decode, linksOf, type Served, startServer } from "./served.ts";

const dates = `from=${period.from}&to=${period.to}`;
let dataFolder: string;
let server: Served;
beforeAll(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), tempPrefix));
  mkdirSync(join(dataFolder, "published"));
  await publishFixture(join(dataFolder, "published"), attributedWorld());
  server = await startServer({ dataFolder });
});
afterAll(async () => {
  await server.close();
  rmSync(dataFolder, { recursive: true });
});

async function page(path: string): Promise<string> {
  const { status, text } = await ask(server.origin, path);
  expect([path, status]).toEqual([path, 200]);
  return text;
}

/** Names in the rows of a page, with their links. */
function rowLinks(text: string): Map<string, string> {
  const rows = /<table data-rows>[\s\S]*?<\/table>/.exec(text)?.[0] ?? "";
  const links = rows.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g);
  return new Map(Array.from(links, ([, href = "", name = ""]) => [decode(name), decode(href)]));
}

const headline = (text: string) => decode(/<p class="headline">([^<]*)/.exec(text)?.[1] ?? "");
const crumbs = (text: string) =>
  decode((/<nav class="crumbs"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? "").replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();

function countPlays(isCounted: (play: WorldPlay, date: string) => boolean): string {
  const count = attributedPlays.filter((play) => {
    const date = play.local.slice(0, 10);
    return date >= period.from && date <= period.to && isCounted(play, date);
  }).length;
  return count.toLocaleString("en");
}

it("a region links to its zones, a zone's days and their plays, each counted on its days in the region", async () => {
  const regions = await page(`/plays?by=region&${dates}`);
  const isNorth = ({ zoneId }: WorldPlay, date: string) => regionOf(zoneId, date) === "North";
  const zones = await page(rowLinks(regions).get("North") ?? "");
  expect(headline(zones)).toMatch(`${countPlays(isNorth)} plays `);
  expect(zones).toContain("<h1>Plays by zone</h1>");
  // Zone 12 is in the north until 5 November.
  const days = await page(rowLinks(zones).get("=Gym()") ?? "");
  expect(headline(days)).toMatch(
    `${countPlays((play, date) => play.zoneId === 12 && isNorth(play, date))} plays `,
  );
  expect(
    [...rowLinks(days).keys()]
      .filter((name) => name.startsWith("2026-"))
      .sort()
      .at(-1),
  ).toBe("2026-11-05");
  const plays = await page(rowLinks(days).get("2026-11-05") ?? "");
  expect(headline(plays)).toMatch(/^15 plays /);
  expect([zones, days, plays].map(crumbs)).toEqual([
    "Plays region North",
    "Plays region North =Gym()",
    "Single plays region North =Gym() 5 November 2026",
  ]);
  for (const link of linksOf(/<nav class="crumbs"[\s\S]*?<\/nav>/.exec(plays)?.[0] ?? "")) await page(link);
});

it("links of bars and cells replace the filter's value with their own, and keep the other filters", async () => {
  const text = await page(
    `/plays?by=region,genre&${dates}&where=region=North,%3Cb%3EO'Brien%3C/b%3E;store_manager=Ann`,
  );
  const links = linksOf(text).map((link) => link.replace("&as-of=v000001", ""));
  for (const [value, address] of [
    ["<b>O'Brien</b>", "store_manager=Ann;region=%3Cb%3EO'Brien%3C%2Fb%3E"],
    ["North", "store_manager=Ann;region=North"],
  ])
    expect(links, value).toContain(`/plays?by=zone&${dates}&where=${address}`);
  const titles = Array.from(text.matchAll(/<h2[^>]*>([^<]*)</g), ([, title]) => title);
  expect(titles.slice(2, 6)).toEqual(["Plays by region", "Plays by genre", "Plays per day", "Most played"]);
});

it("the form of plays by a campaign attribute keeps it, and the form of plays offers it", async () => {
  expect(await page(`/plays?by=advertiser,region&${dates}`)).toMatch(/name="by" value="advertiser" checked/);
  const plays = await page(`/plays?by=region&${dates}`);
  expect(plays).toContain('name="by" value="advertiser"');
  expect(plays).not.toContain('name="where-advertiser"');
});

it("a submitted form becomes an address, and the form shows an address's values", async () => {
  const sent =
    "by=zone&by=region&where-region=North&where-region=East%2C+far&where-genre=&where-store_manager=Ann";
  const { status, headers } = await ask(server.origin, `/plays?${sent}&${dates}`);
  expect(status).toBe(302);
  const address = headers.location as string;
  expect(address).toBe(
    `/plays?by=region,zone&${dates}&where=region=North;region=East,%20far;store_manager=Ann`,
  );
  const text = await page(address);
  const checked = Array.from(
    text.matchAll(/<input type="checkbox" name="([^"]*)" value="([^"]*)" checked>/g),
    ([, name, value]) => `${name}: ${value}`,
  );
  expect(checked).toEqual([
    "by: zone",
    "by: region",
    "where-region: East, far",
    "where-region: North",
    "where-store_manager: Ann",
  ]);
  const offered = Array.from(text.matchAll(/name="where-region" value="([^"]*)"/g), ([, value = ""]) =>
    decode(value),
  );
  expect(offered).toEqual(["<b>O'Brien</b>", "East, far", "North", "(none)"]);
  // The search keeps the filters.
  expect(text).toMatch(/<form class="search"[\s\S]*<input type="hidden" name="where" value="region=North;/);
  expect(text).toContain("region North or East, far · store manager Ann");
});

it.each([
  [
    "/plays?by=regoin",
    /does not take "regoin"\. Did you mean region\? It takes kind, .*, campaign, daypart, region, store_manager, genre, advertiser\.$/,
  ],
  ["/plays?where=advertiser=Acme", /^advertiser belongs to campaigns: add campaign to "Group by"\.$/],
  ["/plays?where=regoin=North", /^Filter does not take "regoin"\. Did you mean region\?/],
  ["/plays?where-region=Nort", /^No region is "Nort"\. Did you mean North\?$/],
  ["/uptime?where=region=Nowhere%20near", /^No region is "Nowhere near"\. Values: .*North and \(none\)\.$/],
  ["/plays?where=North", /^Filter \(North\) is not an attribute with values\./],
  ["/quality?where=region=North", /^The quality report does not take Filter\.$/],
])("%s is answered in the words of the page", async (path, said) => {
  const { status, headers } = await ask(server.origin, path);
  const { status: last, text } = await ask(
    server.origin,
    status === 302 ? (headers.location as string) : path,
  );
  expect(last).toBe(400);
  expect(headline(text)).toMatch(said);
  expect(text).toContain('<nav class="views"');
  // It can be corrected in its field.
  if (path.includes("region=N")) expect(text).toMatch(/name="where-region"[^>]* value="No/);
});
