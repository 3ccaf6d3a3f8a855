import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, it } from "vitest";
import { publishVersion } from "../../src/publish/publish-version.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { describeStore, newPrefix } from "./use-store.ts";

const python = inject("readers");

describeStore("versitygw", (endpoint) => {
  it.skipIf(python === undefined)("polars and DuckDB read the published version from S3", async () => {
    const storage = await openStorage(newPrefix());
    const from = realpathSync(join(await shareDemoData(), "published", "current"));
    const { tables } = (await publishVersion({ from, to: storage, logger })).manifest;
    const script = fileURLToPath(new URL("read_store.py", import.meta.url));
    const output = execFileSync(python ?? "", [script, storage.location, endpoint], {
      encoding: "utf8",
      env: { ...process.env, AWS_ENDPOINT_URL: endpoint, AWS_ALLOW_HTTP: "true", HOME: createTempFolder() },
    });
    const plays = tables.fact_play?.rows;
    expect(plays).toBeGreaterThan(100_000);
    expect(JSON.parse(output)).toEqual({
      ...{ polars: plays, duckdb: plays },
      tables: Object.keys(tables).length,
    });
  });
});
