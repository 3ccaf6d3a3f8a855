import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, it } from "vitest";
import { publishToStore } from "../../src/publish/store/publish-to-store.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { describeStore, newPrefix } from "./use-store.ts";

const python = inject("readers");

describeStore("versitygw", (endpoint) => {
  it.skipIf(python === undefined)("polars and DuckDB read the published version from S3", async () => {
    const storage = await openStorage(newPrefix());
    const publishedFolder = join(await shareDemoData(), "published");
    const { tables } = await publishToStore({ publishedFolder, storage, logger });
    const folder = createTempFolder();
    for (const name of ["files.json", "catalog.sql"])
      writeFileSync(join(folder, name), (await storage.find(name))?.content ?? "");
    const script = fileURLToPath(new URL("read_store.py", import.meta.url));
    const words = [script, join(folder, "files.json"), join(folder, "catalog.sql"), endpoint];
    const output = execFileSync(python ?? "", words, {
      encoding: "utf8",
      env: { ...process.env, AWS_ENDPOINT_URL: endpoint, AWS_ALLOW_HTTP: "true", HOME: folder },
    });
    const plays = tables.fact_play?.rows;
    expect(plays).toBeGreaterThan(100_000);
    expect(JSON.parse(output)).toEqual({ polars: plays, duckdb: plays });
  });
});
