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
    .addArgument(new Argument("<file...>", "history files of one kind"))
    .addOption(
      new Option("--kind <kind>", `what the files hold: ${kinds.join(", ")}`)
        .argParser(oneOf(...kinds))
        .makeOptionMandatory(),
    )
    .addHelpText("after", "\nExample:\n  $ venue load music-2025.jsonl.gz --kind music\n")
    .action(async (files: string[], { kind }: { kind: Kind }) => {
      const { loadFiles } = await import("../../pipeline/load-files.ts");
      await recordedRun(context, `load ${files.join(" ")} --kind ${kind}`, async (workspace) => {
        const loads = await loadFiles(workspace, { files, kind });
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
