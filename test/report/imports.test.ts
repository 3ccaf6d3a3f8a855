import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/package-root.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { generatePlays, publishedWorld } from "./plays-world.ts";

// Says each module that is loaded.
const hook = `import { writeSync } from "node:fs";
  export async function load(url, context, next) { writeSync(2, "loads " + url + "\\n"); return next(url, context); }`;
const register = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(hook)}");`;

/** The packages that a report loads from its beginning to its end. */
async function packagesOf(format: string): Promise<string[]> {
  const folder = createTempFolder();
  await publishFixture(join(folder, "published"), publishedWorld("v000001", generatePlays().slice(0, 50)));
  const words = [
    join(packageRoot, "dist", "main.js"),
    "report",
    "plays",
    "--format",
    format,
    "--from",
    "2026-10-01",
    "--to",
    "2026-10-31",
  ];
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(register)}`, ...words],
    { env: { ...process.env, VENUE_DATA_DIR: folder, VENUE_HOME: join(folder, "home") } },
  );
  const names = stderr.matchAll(/^loads .*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm);
  return [...new Set(Array.from(names, ([, name = ""]) => name))].sort();
}

it("a report loads what it needs, and no more: starting is most of what a short one takes", async () => {
  const always = ["@duckdb/node-api", "commander", "libsql"];
  expect(await packagesOf("csv")).toEqual(always);
  expect(await packagesOf("json")).toEqual(always);
  expect(await packagesOf("html")).toContain("echarts");
});
