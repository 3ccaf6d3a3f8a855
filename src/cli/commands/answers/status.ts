import { type Command, InvalidArgumentError, Option } from "commander";
import { freshHours } from "../../../report/findings/data-as-of.ts";
import { parseHours } from "../../../util/text/words.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";

export function define(command: Command, context: CliContext): void {
  command
    .addOption(
      new Option("--max-age <age>", "exit with 1 if the data is older, or there is none; e.g. 26h or 90m")
        .argParser(hours)
        .default(freshHours, `${freshHours}h`),
    )
    .addHelpText("after", "\nExample, for a monitor that runs commands:\n  $ venue status --max-age 26h\n")
    .action(async ({ maxAge }: { maxAge: number }) => {
      const { readCurrentSignals } = await import("../../results/current-signals.ts");
      const { describeStatus } = await import("../../results/describe-status.ts");
      const { DataFolder } = await import("../../../config/data-folder.ts");
      const { findUnfinished } = await import("../../../report/published/run-state.ts");
      const { stateFile } = new DataFolder(context.settings.get("VENUE_DATA_DIR"));
      const { summary, text, isStale } = describeStatus(
        await readCurrentSignals(context),
        await findUnfinished(stateFile),
        { now: context.clock().now(), maxAgeHours: maxAge },
      );
      if (context.settings.get("VENUE_ENGINE") === "trino") {
        const shown = await import("../../results/shown-versions.ts");
        const versions = await shown.listShownVersions(context);
        context.printResult(
          { ...summary, versions: shown.summarizeVersions(versions) },
          `${text}\n${shown.describeVersions(versions)}`,
        );
      } else context.printResult(summary, text);
      if (isStale) context.exitCode = exitCodes.finding;
    });
}

function hours(text: string): number {
  const parsed = parseHours(text);
  if (parsed !== undefined) return parsed;
  throw new InvalidArgumentError("Write a number of hours, minutes or days, such as 26h, 90m or 2d.");
}
