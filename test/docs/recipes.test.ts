import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { isReportName } from "../../src/report/report-name.ts";
import { type ConnectedClient, connectClient, readAllRows } from "../mcp/connect-client.ts";
import { itEachSampled } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { demoNow, shareDemo, shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { commandsOf, commandsUnder, type ShellCommand } from "./shell-commands.ts";

const pages = ["docs/reports.md", "docs/custom.md", "docs/tables.md"];

const recipes = [
  ...commandsUnder("docs/questions.md", "More questions"),
  ...commandsUnder("docs/tables.md", "Recipes"),
]
  .filter(({ args: [command = ""] }) => ["report", "query"].includes(command))
  .map(withText);

/** Reports of other pages, except `--explain`, which other tests cover, and examples with attributes or custom reports. */
const reports = pages
  .flatMap(commandsOf)
  .map(withText)
  .filter(
    ({ args, text }) =>
      args[0] === "report" &&
      isReportName(args[1] ?? "") &&
      !args.includes("--explain") &&
      !args.includes("--where") &&
      recipes.every((recipe) => recipe.text !== text),
  );

function withText({ args }: ShellCommand): { text: string; args: string[] } {
  return { text: args.join(" "), args };
}

let assistant: ConnectedClient;

beforeAll(async () => {
  assistant = await connectClient({
    environment: await environmentOfDemo(),
    workingFolder: await shareDemo(),
  });
});

afterAll(() => assistant.close());

async function environmentOfDemo(): Promise<Record<string, string>> {
  return { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() };
}

itEachSampled(reports, 2)("venue $text", async ({ args }) => {
  await run(args);
});

itEachSampled(recipes, 5)("venue $text, and an assistant gets the same rows", async ({ args }) => {
  const found = await run(args);
  const [command, subject = ""] = args;
  if (command === "query")
    return expect(await readAllRows(assistant.call, "query", { sql: subject })).toEqual(found[0]);
  const { split, ...words } = readFlags(args.slice(2));
  const read = (more = {}) => readAllRows(assistant.call, "report", { report: subject, ...words, ...more });
  // On the command line, single plays have no order.
  if (subject === "single-plays") return expect(sortRows(await read())).toEqual(sortRows(found[0] ?? []));
  if (split === undefined) return expect(await read()).toEqual(found[0]);
  // A file for each city is a report for each city.
  expect(split).toBe("city");
  const cities = await readAllRows(assistant.call, "report", { report: "plays", by: "city" });
  const parts = await Promise.all(cities.map(({ city }) => read({ location: city })));
  const inOrder = (lists: readonly unknown[][]) =>
    lists
      .filter((rows) => rows.length > 0)
      .map((rows) => JSON.stringify(rows))
      .sort();
  expect(inOrder(parts)).toEqual(inOrder(found));
});

function sortRows(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** Runs a command as documented. @returns its rows, by file if it writes several */
async function run(args: readonly string[]): Promise<unknown[][]> {
  const environment = await environmentOfDemo();
  const workingFolder = createTempFolder();
  const place = args.indexOf("--out") + 1;
  const out = place === 0 ? undefined : args[place];
  if (out !== undefined) {
    const { code, stdout, stderr } = await runVenue(args, { environment, workingFolder });
    expect(code, stderr).toBe(0);
    expect(`${stdout}${stderr}`).toMatch(/\.(csv|xlsx)$/m);
  }
  const asJson =
    out === undefined
      ? [...args, "--format", "json"]
      : args
          .map((word, at) => (at === place ? word.replace(/\w+$/, "json") : word))
          .filter((word) => word !== "--raw");
  const { code, stdout, stderr } = await runVenue(asJson, { environment, workingFolder });
  expect(code, stderr).toBe(0);
  const texts = out === undefined ? [stdout] : readJsonFiles(join(workingFolder, dirname(out)));
  const found = texts.map((text) => JSON.parse(text) as unknown[]);
  // Nothing in the demo is silent or down.
  if (!args.includes("silences") && !args.includes("down")) expect(found.flat()).not.toEqual([]);
  return found;
}

function readJsonFiles(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  expect(files.map((file) => basename(file, ".json"))).not.toEqual([]);
  return files.map((file) => readFileSync(join(folder, file), "utf8"));
}

/** Converts the flags that choose a report's rows to parameters of the tool `report`. */
function readFlags(flags: readonly string[]): Record<string, string | number> {
  const words: Record<string, string | number> = {};
  for (let at = 0; at < flags.length; at += 1) {
    const name = flags[at]?.replace(/^--/, "") ?? "";
    if (name === "raw") continue;
    at += 1;
    const value = flags[at] ?? "";
    if (name !== "out") words[name] = name === "top" ? Number(value) : value;
  }
  return words;
}
