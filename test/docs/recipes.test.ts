import { expect, it } from "vitest";
import { isReportName } from "../../src/report/report-name.ts";
import { runVenue } from "../support/run-venue.ts";
import { demoNow, shareDemoData } from "../support/shared-demo.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { commandsOf } from "./shell-commands.ts";

/** Reports in the recipes. Other tests explain the campaign day; values of attributes and own reports are examples. */
const reports = commandsOf("docs/analyst.md")
  .map(({ args }) => args)
  .filter(
    (args) =>
      args[0] === "report" &&
      isReportName(args[1] ?? "") &&
      !args.includes("--explain") &&
      !args.includes("--where"),
  );

it.each(reports.map((args) => ({ text: args.join(" "), args })))("venue $text", async ({ args }) => {
  const environment = { VENUE_DATA_DIR: await shareDemoData(), VENUE_NOW: demoNow.toISOString() };
  const [, format] = /\.(csv|xlsx)$/.exec(args.find((arg) => /\.\w+$/.test(arg)) ?? "") ?? [];
  const words = format === undefined ? [...args, "--format", "json"] : args;
  const { code, stdout, stderr } = await runVenue(words, { environment, workingFolder: createTempFolder() });
  expect(code, stderr).toBe(0);
  if (format !== undefined) expect(`${stdout}${stderr}`).toMatch(new RegExp(`\\.${format}$`, "m"));
  // Nothing in the demo is silent or down.
  else if (!args.includes("silences") && !args.includes("down")) expect(JSON.parse(stdout)).not.toEqual([]);
});
