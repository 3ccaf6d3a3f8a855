import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Argument, type Command } from "commander";
import { customFolderOf } from "../../../config/data-folder.ts";
import { customError, customFilePath, customName } from "../../../mart/custom/custom-file.ts";
import { customTemplate, readCustomExample } from "../../../mart/custom/template.ts";
import type { CustomTest } from "../../../pipeline/custom/test-custom.ts";
import { isTakenName } from "../../../report/custom/list-custom-reports.ts";
import { formatReportTitle } from "../../../report/text/titles.ts";
import { countOf } from "../../../util/text/words.ts";
import { oneOf } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";

const kinds = { report: "reports", check: "checks" } as const;
type Kind = keyof typeof kinds;

export function define(command: Command, context: CliContext): void {
  const words = Object.keys(kinds) as Kind[];
  const kind = new Argument("<kind>", "report or check").choices(words).argParser(oneOf(...words));
  command.addHelpText("after", "\nExample:\n  $ venue own new report busy-days\n  $ venue own test\n");
  command
    .command("new")
    .description("write a commented example that is ready to run, or copy one of the examples")
    .addArgument(kind)
    .argument("<name>", "lower-case letters, digits, - and _")
    .option("--from <example>", "copy this file of data/examples/own/, e.g. new-and-lost-stores")
    .addHelpText(
      "after",
      "\nExamples:\n  $ venue own new check quiet-zones\n  $ venue own new report stores-lost --from new-and-lost-stores\n",
    )
    .action((word: Kind, name: string, { from }: { from?: string }) =>
      writeExample(context, word, { name, from }),
    );
  command
    .command("test")
    .description("run all custom reports and checks on the published version")
    .addHelpText("after", "\nExample:\n  $ venue own test\n")
    .action(async () => {
      const { testCustom } = await import("../../../pipeline/custom/test-custom.ts");
      const { settings, logger, signal } = context;
      const tests = await testCustom({ settings, logger, signal, now: context.clock().now() });
      const all = [...tests.reports, ...tests.checks];
      if (all.some(({ problem }) => problem !== undefined)) context.exitCode = exitCodes.finding;
      const none = `No custom reports or checks in ${customFolderOf(settings)}. Begin with: venue own new report NAME`;
      const texts = [
        ...tests.reports.map((test) => describeTest(test, "row")),
        ...tests.checks.map((test) => describeTest(test, "failing row")),
      ];
      context.printResult(tests, texts.length === 0 ? none : texts.join("\n"));
    });
}

/** @throws {VenueError} `OWN_FILE` when the name is unusable, or the file exists */
function writeExample(
  context: CliContext,
  kind: Kind,
  { name, from }: { name: string; from: string | undefined },
): void {
  const file = customFilePath(customFolderOf(context.settings), kinds[kind], name);
  if (!customName.test(name)) {
    throw customError(
      `${JSON.stringify(name)} is not a valid ${kind} name. Use lower-case letters, digits, - and _, beginning with a letter.`,
    );
  }
  if (kind === "report" && isTakenName(name))
    throw customError(`${name} is the name of another page. Choose another name.`);
  if (existsSync(file)) throw customError(`${file} exists already. Choose another name, or edit it.`);
  const text =
    from === undefined
      ? customTemplate(kinds[kind], formatReportTitle(name.replaceAll("_", "-")))
      : readCustomExample(kinds[kind], from);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: "wx" });
  const next = kind === "report" ? `venue report ${name}` : "venue own test";
  context.printResult({ file }, `Wrote ${file}. Edit it, and run: ${next}`);
}

function describeTest(test: CustomTest, noun: string): string {
  const { file, severity, rows, ms, sample, problem } = test;
  const seconds = `${(ms / 1000).toFixed(2)} s`;
  if (problem !== undefined) return `FAIL  ${problem.startsWith(file) ? problem : `${file}: ${problem}`}`;
  const finds = severity !== undefined && rows > 0;
  return [
    `${finds ? "runs " : "ok   "} ${file}: ${countOf(rows, noun)}${finds ? ` (${severity})` : ""} in ${seconds}`,
    ...sample.map((row) => `  ${JSON.stringify(row)}`),
  ].join("\n");
}
