import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatePlays, publishedWorld } from "../report/plays-world.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { ask, linksOf, serveForTest } from "./served.ts";

/** More ids than fit in an address. */
const shopIds = Array.from({ length: 300 }, (_, index) => 10_000_000 + index);

/** A chain of many shops in one city; each of their walks has an unreadable line. */
async function serveChain() {
  const dataFolder = createTempFolder();
  const world = publishedWorld("v000001", generatePlays());
  const walks = shopIds.map((zone_id, index) => ({
    ...{
      load_id: 1_000_000 + index,
      source: "walk",
      kind: "music",
      zone_id,
      requested_at: "2026-11-21T04:00:00Z",
    },
    ...{ lines: 9, new_plays: 8, changed: 0, unchanged: 0, duplicate: 0, rejected: 1, blank: 0 },
    ...{ zero_second: 0, vanished: 0 },
  }));
  mkdirSync(join(dataFolder, "published"));
  await publishFixture(join(dataFolder, "published"), {
    ...world,
    rows: {
      ...world.rows,
      dim_location: shopIds.map((id) => ({ location_id: id, location_name: `Shop ${id}`, city: "London" })),
      dim_zone: shopIds.map((id) => ({ zone_id: id, zone_name: `Zone ${id}`, location_id: id })),
      fact_load: walks,
      fact_reject: walks.map(({ load_id }) => ({
        load_id,
        line_number: 1,
        reason: "invalid_json",
        line: "{",
      })),
    },
  });
  return await serveForTest({ dataFolder });
}

it("a name with more ids than fit in an address stays as typed, and no link is too long", async () => {
  const { origin } = await serveChain();
  const city = await ask(origin, "/plays?location=London");
  expect(city.status).toBe(200);
  expect(city.text).toContain('name="location" list="location-choices" value="London"');
  const form = await ask(origin, "/plays?location=London&zone=&from=");
  expect([form.status, form.headers.location]).toEqual([302, "/plays?location=London"]);

  const { text } = await ask(origin, "/quality");
  expect(text).toMatch(/300 of [\d,]+ lines received so far could not be read/);
  const links = linksOf(text);
  expect(links.filter((link) => link.startsWith("/rejects?load="))).toHaveLength(shopIds.length);
  expect(Math.max(...links.map((link) => link.length))).toBeLessThan(2_000);
});
