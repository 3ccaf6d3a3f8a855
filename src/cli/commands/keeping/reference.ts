import type { Command } from "commander";
import { countOf } from "../../../util/text/words.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";

const checkExample = "\nExample:\n  $ venue reference check\n";

export function define(command: Command, context: CliContext): void {
  command
    .addHelpText("after", checkExample)
    .command("check")
    .description("list invalid lines, with reasons")
    .addHelpText("after", checkExample)
    .action(async () => {
      const { checkReferenceFiles } = await import("../../../load/reference/apply-reference.ts");
      const files = await checkReferenceFiles(context.settings);
      const mistakes = files.flatMap((file) => file.mistakes.map(({ message }) => message));
      const lines = files
        .filter((file) => file.mistakes.length === 0)
        .map(
          ({ path, separator, lines }) =>
            `ok    ${path}${lines === 0 ? " has no entries yet" : `: ${countOf(lines, "line")} with ${separator}s between values`}`,
        );
      if (mistakes.length > 0) context.exitCode = exitCodes.finding;
      context.printResult({ files }, [...lines, ...mistakes.map((message) => `FAIL  ${message}`)].join("\n"));
    });
}
