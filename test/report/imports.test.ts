import { join } from "node:path";
import { expect, it } from "vitest";
import { type Loaded, loadedBy } from "../support/loaded-by.ts";
import { itInAll } from "../support/long-suite.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { generatePlays, publishedWorld } from "./plays-world.ts";

async function loadedByReport(format: string): Promise<Loaded> {
  const folder = createTempFolder();
  await publishFixture(join(folder, "published"), publishedWorld("v000001", generatePlays().slice(0, 50)));
  const words = ["--format", format, "--from", "2026-10-01", "--to", "2026-10-31"];
  return await loadedBy(["report", "plays", ...words], {
    VENUE_DATA_DIR: folder,
    VENUE_HOME: join(folder, "home"),
  });
}

it.each(["--help", "--version"])(
  "%s loads no command, and no library but the option parser",
  async (flag) => {
    const { modules, packages } = await loadedBy([flag]);
    expect(packages).toEqual(["commander"]);
    expect(modules).toMatchInlineSnapshot(`
      [
        "cli/cli-context",
        "cli/command-list",
        "cli/exit-code",
        "cli/explain-failure",
        "cli/interruption",
        "cli/program",
        "cli/report-failure",
        "cli/setting-options",
        "config/config-error",
        "config/parsers",
        "config/settings",
        "config/variables",
        "main",
        "util/clock",
        "util/files/package-root",
        "util/largest-id",
        "util/local-date",
        "util/logger",
        "util/text/harmless-text",
        "util/text/http-url",
        "util/venue-error",
      ]
    `);
  },
);

itInAll("a report loads what it needs, and no more: starting is most of what a short one takes", async () => {
  const always = ["@duckdb/node-api", "@duckdb/node-bindings", "commander"];
  const csv = await loadedByReport("csv");
  expect(csv.packages).toEqual(always);
  expect(csv.modules.filter((module) => module.startsWith("cli/commands/"))).toEqual([
    "cli/commands/answers/report",
  ]);
  const folders = new Set(csv.modules.map((module) => module.split("/")[0]));
  expect([...folders]).toEqual(["cli", "config", "engines", "main", "mart", "report", "util"]);
  expect((await loadedByReport("json")).packages).toEqual(always);
  const { packages } = await loadedByReport("table");
  expect(packages).toEqual([
    "@duckdb/node-api",
    "@duckdb/node-bindings",
    "ansi-regex",
    "commander",
    "get-east-asian-width",
    "string-width",
    "strip-ansi",
  ]);
  expect((await loadedByReport("html")).packages).toContain("d3-scale");
});

itInAll("a build of what was loaded here loads nothing of lakes, clusters or the service", async () => {
  const folder = createTempFolder();
  const { modules, packages } = await loadedBy(["build"], {
    VENUE_DATA_DIR: folder,
    VENUE_HOME: join(folder, "home"),
  });
  expect(modules).toContain("publish/publish-mart");
  expect(modules.filter((module) => /^(api|lake|extract|engines\/(trino|nessie))\//.test(module))).toEqual(
    [],
  );
  expect(packages).not.toContain("zod");
  expect(packages).not.toContain("undici");
});
