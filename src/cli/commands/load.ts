import { Argument, type Command, Option } from "commander";
import { type Kind, kinds } from "../../util/kind.ts";
import { oneOf } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import {
  describeLoad,
  describeRejectedWhole,
  isRejectedWhole,
  loadsExitCode,
  summarizeLoad,
} from "../describe-load.ts";
import { recordedRun } from "../recorded-run.ts";

export function define(command: Command, context: CliContext): void {
  command
    .addArgument(new Argument("<file...>", "history files of one kind; - reads stdin, plain or gzip"))
    .addOption(
      new Option("--kind <kind>", `what the files hold: ${kinds.join(", ")}`)
        .argParser(oneOf(...kinds))
        .makeOptionMandatory(),
    )
    .addHelpText(
      "after",
      "\nExamples:\n  $ venue load music-2025.jsonl.gz --kind music\n  $ ssh archive cat signage.jsonl.gz | venue load - --kind signage\n",
    )
    .action(async (files: string[], { kind }: { kind: Kind }) => {
      const { loadFiles, stdinName } = await import("../../pipeline/load-files.ts");
      const { stdin } = context.io;
      const times = files.filter((file) => file === stdinName).length;
      if (times > 1) command.error("error: - was given twice, but stdin can be read only once");
      if (times > 0 && stdin.isTTY)
        command.error("error: - reads stdin, which is a terminal: pipe the lines in");
      await recordedRun(context, `load ${files.join(" ")} --kind ${kind}`, async (workspace) => {
        const loads = await loadFiles(workspace, { files, stdin, kind });
        const text = loads.map(describeLoad).join("\n");
        const note = `${loads.length} files loaded`;
        const problems = loads.filter(isRejectedWhole).map(describeRejectedWhole);
        return {
          exitCode: loadsExitCode(loads),
          note,
          text,
          problems,
          summary: { loads: loads.map(summarizeLoad) },
        };
      });
    });
}
