import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { publishMart } from "../../src/publish/publish-mart.ts";
import { openPublished } from "../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../src/report/published/published-mart.ts";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { buildOptions } from "../build/build-options.ts";
import { loadCase } from "../build/load-device-case.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { shareFolder } from "../support/shared-folder.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** Publishes a case of `test/fixtures/devices`, which works out its figures, and opens it. */
export async function publishDeviceCase(name: string, now: Date): Promise<PublishedMart> {
  const folder = await shareFolder(`device case ${name} ${now.toISOString()}`, (own) =>
    publish(name, now, own),
  );
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  return mart;
}

async function publish(name: string, now: Date, publishedFolder: string): Promise<void> {
  const folder = join(packageRoot, "test", "fixtures", "devices", name);
  const settingsPath = join(folder, "case.json");
  const settings = existsSync(settingsPath) ? JSON.parse(readFileSync(settingsPath, "utf8")) : {};
  const warehouse = await openNewWarehouse({ threads: 1 });
  await loadCase(warehouse, folder, join(createTempFolder(), "landing"), settings);
  await buildMart(warehouse, { ...buildOptions, ...settings });
  await publishMart(warehouse, { publishedFolder, version: "v000001", now, logger: silentLogger });
}
