import { cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { ask, linksOf, serveForTest } from "./served.ts";

/** Makes a version current, as a build would: the same files by another name. */
function publishAgain(published: string, from: string, to: string): void {
  const folder = join(published, to);
  cpSync(join(published, from), folder, { recursive: true });
  const manifest = join(folder, "manifest.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replaceAll(from, to));
  symlinkSync(to, join(published, "next"));
  renameSync(join(published, "next"), join(published, "current"));
}

it("pages stay on the version that they were opened on, and say that there is a new one", async () => {
  const dataFolder = createTempFolder();
  const published = join(dataFolder, "published");
  cpSync(join(await shareDemoData(), "published"), published, { recursive: true, verbatimSymlinks: true });
  const { origin } = await serveForTest({ dataFolder });
  const first = await ask(origin, "/plays?by=zone");
  expect(first.text).not.toContain("Show the new one");
  const onwards = linksOf(first.text).find((link) => link.startsWith("/plays?by=date")) ?? "";
  expect(onwards).toContain("as-of=v000001");

  publishAgain(published, "v000001", "v000002");
  const old = await ask(origin, onwards);
  expect(old.text).toContain("This page shows version v000001.");
  const newer = linksOf(old.text).find((link) => !link.includes("as-of")) ?? "";
  const current = await ask(origin, newer);
  expect(current.text).toContain("Published version v000002");
  expect(current.text).not.toContain("Show the new one");

  rmSync(join(published, "v000001"), { recursive: true });
  const gone = await ask(origin, onwards);
  expect(gone.status).toBe(200);
  expect(gone.text).toContain("Version v000001 is no longer kept. This is v000002.");
});
