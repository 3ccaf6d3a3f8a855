import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { generatePlays, publishedWorld } from "../report/plays-world.ts";
import { itInAll } from "../support/long-suite.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { ask, linksOf, serveForTest } from "./served.ts";

/** Makes a version current, as a build does: the same files under another name. */
function publishAgain(published: string, from: string, to: string): void {
  const folder = join(published, to);
  cpSync(join(published, from), folder, { recursive: true });
  const manifest = join(folder, "manifest.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replaceAll(from, to));
  symlinkSync(to, join(published, "next"));
  renameSync(join(published, "next"), join(published, "current"));
}

itInAll("pages keep their version, and announce a newer one", async () => {
  const dataFolder = createTempFolder();
  const published = join(dataFolder, "published");
  cpSync(join(await shareDemoData(), "published"), published, { recursive: true, verbatimSymlinks: true });
  const { origin } = await serveForTest({ dataFolder });
  const first = await ask(origin, "/plays?by=zone");
  expect(first.text).not.toContain("Show the current version");
  const onwards = linksOf(first.text).find((link) => link.startsWith("/plays?by=date")) ?? "";
  expect(onwards).toContain("as-of=v000001");

  publishAgain(published, "v000001", "v000002");
  const old = await ask(origin, onwards);
  expect(old.text).toContain("This page shows version v000001.");
  const newer = linksOf(old.text).find((link) => !link.includes("as-of")) ?? "";
  const current = await ask(origin, newer);
  expect(current.text).toContain("Published version v000002");
  expect(current.text).not.toContain("Show the current version");

  rmSync(join(published, "v000001"), { recursive: true });
  const gone = await ask(origin, onwards);
  expect(gone.status).toBe(200);
  expect(gone.text).toContain("Version v000001 is no longer available. This page shows v000002.");
});

itInAll("pages notice a version that replaced one of the same name, as after a restore", async () => {
  const dataFolder = createTempFolder();
  const [published, restored] = [join(dataFolder, "published"), join(dataFolder, "restored")];
  mkdirSync(published);
  mkdirSync(restored);
  const plays = generatePlays();
  await publishFixture(published, publishedWorld("v000001", plays));
  const fewer = publishedWorld(
    "v000001",
    plays.filter(({ zoneId }) => zoneId === 11),
  );
  const zones = fewer.rows.dim_zone?.map((zone) => ({ ...zone, zone_name: `Former ${zone.zone_name}` }));
  await publishFixture(restored, { ...fewer, rows: { ...fewer.rows, dim_zone: zones ?? [] } });
  const { origin } = await serveForTest({ dataFolder });
  expect((await ask(origin, "/plays?by=zone&zone=11,12")).text).toContain(" in 2 zones ");

  renameSync(published, join(dataFolder, "replaced"));
  renameSync(restored, published);
  const { text } = await ask(origin, "/plays?by=kind&zone=11,12");
  expect(text).toContain(" in 1 zone ");
  expect(text).toContain("Former Bar, Former =Gym()");
});
