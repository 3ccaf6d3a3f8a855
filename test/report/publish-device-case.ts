import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { publishMart } from "../../src/publish/publish-mart.ts";
import { openPublished } from "../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../src/report/published/published-mart.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { packageRoot } from "../../src/util/package-root.ts";
import { buildOptions } from "../build/build-options.ts";
import { listLoads } from "../build/load-device-case.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { createTempFolder, tempPrefix } from "../support/temp-folder.ts";

/** Published folders, by the case's name and the time of its publishing. Nothing in them is ever changed. */
const published = new Map<string, Promise<string>>();

afterAll(async () => {
  for (const folder of await Promise.all(published.values()))
    rmSync(folder, { recursive: true, force: true });
});

/** Opens a published case of `test/fixtures/devices`, where its figures are worked out. */
export async function publishDeviceCase(name: string, now: Date): Promise<PublishedMart> {
  const key = `${name} ${now.toISOString()}`;
  const folder = published.get(key) ?? publish(name, now);
  published.set(key, folder);
  const mart = await openPublished(await folder, { threads: 1 });
  onTestFinished(() => mart.close());
  return mart;
}

/** Publishes it; answers where. */
async function publish(name: string, now: Date): Promise<string> {
  const folder = join(packageRoot, "test", "fixtures", "devices", name);
  const settingsPath = join(folder, "case.json");
  const settings = existsSync(settingsPath) ? JSON.parse(readFileSync(settingsPath, "utf8")) : {};
  const warehouse = await openNewWarehouse({ threads: 1 });
  for (const load of listLoads(folder, join(createTempFolder(), "landing"), settings)) await load(warehouse);
  await buildMart(warehouse, { ...buildOptions, ...settings });
  const publishedFolder = mkdtempSync(join(tmpdir(), tempPrefix));
  await publishMart(warehouse, { publishedFolder, version: "v000001", now, logger: silentLogger });
  return publishedFolder;
}
