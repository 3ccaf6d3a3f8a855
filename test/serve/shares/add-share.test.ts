import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import { addShare, type ShareRequest } from "../../../src/serve/shares/add-share.ts";
import { tempPrefix } from "../../support/temp-folder.ts";
import { publishWorld, strangers } from "./shares-world.ts";

let dataFolder: string;
beforeAll(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), tempPrefix));
  await publishWorld(dataFolder, (strangers as [(typeof strangers)[number]])[0]);
});
afterAll(() => rmSync(dataFolder, { recursive: true }));

async function add(request: Partial<ShareRequest>, environment: Record<string, string> = {}) {
  const settings = new Settings({
    flags: {},
    environment: { VENUE_DATA_DIR: dataFolder, VENUE_THREADS: "1", ...environment },
    workingFolder: dataFolder,
  });
  const { signal } = new AbortController();
  const now = new Date("2026-11-21T12:00:00Z");
  return await addShare(settings, { name: "acme", views: ["compliance"], ...request }, { signal, now });
}

const byAdvertiser = { where: ["advertiser=acme"] };

it("stores what the token opens, as published, and only a hash of the token", async () => {
  const { share, token, campaigns } = await add({
    ...byAdvertiser,
    campaign: ["101,102", "Campaign 103 & <own>"],
    views: ["plays, compliance", "proof"],
    expires: "2026-11-21",
  });
  expect(campaigns).toBe(3);
  expect(share).toMatchObject({
    campaigns: [405, 410, 413],
    attributes: [{ name: "advertiser", values: ["Acme"] }],
    views: ["compliance", "plays", "proof"],
    expiresOn: "2026-11-21",
  });
  const stored = readdirSync(dataFolder)
    .filter((name) => name.startsWith("state.db"))
    .map((name) => readFileSync(join(dataFolder, name), "latin1"))
    .join("");
  expect([stored.includes(share.tokenSha256), stored.includes(token)]).toEqual([true, false]);
  await expect(add(byAdvertiser)).rejects.toThrow("venue serve token remove acme");
});

it.each<[string, Partial<ShareRequest>, string]>([
  ["no filter", {}, "would open every campaign"],
  ["an unknown view", { ...byAdvertiser, views: ["complianc"] }, "Did you mean compliance?"],
  ["a view without campaigns", { ...byAdvertiser, views: ["devices"] }, "belong to no campaign"],
  ["an unknown attribute", { where: ["advertizer=Acme"] }, "Did you mean advertiser?"],
  ["an attribute of zones", { where: ["region=North"] }, "It takes advertiser, manager"],
  ["an unknown value", { where: ["advertiser=Acne"] }, "Did you mean Acme?"],
  ["no value", { where: ["advertiser=(none)"] }, "every new campaign"],
  ["an unknown campaign", { campaign: ["1011"] }, "Did you mean signage 101"],
  ["a campaign of another kind", { campaign: ["101"], kind: "messaging" }, "no campaign 101"],
  ["filters that exclude each other", { where: ["advertiser=Betazorb"], campaign: ["101"] }, "meets both"],
  ["a past date", { ...byAdvertiser, expires: "2026-11-20" }, "in the past"],
  ["no date", { ...byAdvertiser, expires: "2026-02-30" }, "not a date"],
  ["an unusable name", { ...byAdvertiser, name: "Acme Inc." }, "lower-case"],
])("refuses %s", async (_label, request, message) => {
  await expect(add({ name: "other", ...request })).rejects.toThrow(message);
});

it("refuses tokens for a cluster", async () => {
  await expect(add(byAdvertiser, { VENUE_ENGINE: "trino" })).rejects.toThrow("VENUE_ENGINE=duckdb");
});
