import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isReportName } from "../../src/report/report-name.ts";
import { runVenue } from "../support/run-venue.ts";
import { demoNow, shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { commandsOf } from "./shell-commands.ts";

/**
 * Reports in the recipes. Other tests explain the campaign day and write workbooks; values of attributes and
 * own reports are examples.
 */
const reports = commandsOf("docs/analyst.md")
  .map(({ args }) => args)
  .filter(
    (args) =>
      args[0] === "report" &&
      isReportName(args[1] ?? "") &&
      !["--explain", "--where", "--split"].some((flag) => args.includes(flag)) &&
      !args.some((arg) => arg.endsWith(".xlsx")),
  );

it.each(reports.map((args) => ({ text: args.join(" "), args })))("venue $text", async ({ args }) => {
  const workingFolder = createTempFolder();
  const environment = { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() };
  const { code, stdout, stderr } = await runVenue([...args, "--format", "csv"], {
    environment,
    workingFolder,
  });
  expect(code, stderr).toBe(0);
  const out = args.includes("--out") ? args[args.indexOf("--out") + 1] : undefined;
  const text = out === undefined ? stdout : readFileSync(join(workingFolder, out), "utf8");
  // A header at least: nothing in the demo is down or silent.
  expect(text.trim()).toContain(",");
});
