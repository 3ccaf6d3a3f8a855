import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatePlays, publishedWorld } from "../report/plays-world.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { ask, serveForTest } from "./served.ts";

it("text offered by the bar finds exactly one zone, whatever spaces and accents other names have", async () => {
  const dataFolder = createTempFolder();
  const world = publishedWorld("v000001", generatePlays());
  const names = { 11: "Bar", 12: "Bar ", 13: "Caf\u00e9", 14: "Cafe\u0301", 15: "Gym  One", 16: "gym one" };
  mkdirSync(join(dataFolder, "published"));
  await publishFixture(join(dataFolder, "published"), {
    ...world,
    rows: {
      ...world.rows,
      dim_zone: Object.entries(names).map(([id, name]) => ({ zone_id: Number(id), zone_name: name })),
    },
  });
  const { origin } = await serveForTest({ dataFolder });
  for (const id of Object.keys(names)) {
    const { text } = await ask(origin, `/plays?zone=${id}`);
    const [, field = ""] = /<input [^>]*name="zone"[^>]*?value="([^"]*)"/.exec(text) ?? [];
    const { headers } = await ask(origin, `/plays?zone=${encodeURIComponent(field)}`);
    expect(headers.location, field).toBe(`/plays?zone=${id}`);
  }
});
