import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { publishBookedWorld } from "../report/booked-world.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { ask, decode, linksOf, serveForTest } from "./served.ts";

const readText = (markup: string) =>
  decode(markup.replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/[\s\u00a0]+/g, " ")
    .trim();

it("shows which lines are behind, and links campaigns to their zones and days", async () => {
  const dataFolder = createTempFolder();
  mkdirSync(join(dataFolder, "published"));
  await publishBookedWorld(join(dataFolder, "published"));
  const server = await serveForTest({ dataFolder });
  const page = async (path: string) => {
    const { status, text } = await ask(server.origin, path);
    expect([path, status]).toEqual([path, 200]);
    return text;
  };
  const lines = await page("/delivery");
  expect(lines).toContain("<h1>Delivery by campaign</h1>");
  // Campaign 25 is booked but never scheduled.
  expect(readText(lines)).toContain("Campaign 25 100 plays");
  const headline = readText(/<p class="headline">[^<]*/.exec(lines)?.[0] ?? "");
  expect(headline).toMatch(
    /^[\d.]+ % of the plays expected so far were delivered \([\d,]+ of [\d,]+\)\. Furthest behind: Campaign 13, /,
  );
  expect(headline).toMatch(/2 of 3 lines reach the agreed compliance\.$/);
  const ofCampaign = linksOf(lines).find((link) => /^\/delivery\?by=campaign,zone&.*campaign=1\b/.test(link));
  const zones = await page(ofCampaign ?? "");
  expect(zones).toContain("Zone 4");
  const dates = "from=2026-09-20&to=2026-11-10";
  const ofLine = linksOf(zones).find((link) => link.startsWith(`/compliance?by=date&${dates}&zone=4&`));
  expect(await page(ofLine ?? "")).toContain("Compliance by date");
  for (const query of ["by=region,advertiser", "only=running&where=advertiser%3DAcme", "by=group&zone=1"])
    await page(`/delivery?${query}`);
  expect(await page("/delivery?kind=music")).toContain("Enter booked plays");
  expect((await ask(server.origin, "/delivery.csv?by=campaign,zone")).text).toMatch(/^kind,campaign_key,/);
});
