import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { nonEmpty } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { exitCodeOf } from "../exit-code.ts";
import { describeLakeStatus, summarizeLakeStatus, toMegabytes } from "../results/describe-lake-status.ts";

interface LakeFlags {
  lake: string;
}

export function define(command: Command, context: CliContext): void {
  command
    .command("status")
    .description("what each machine has published: months, plays, size, and how current it is")
    .addOption(lakeOption())
    .addHelpText("after", "\nExample:\n  $ venue lake status --lake /mnt/lake\n")
    .action(async ({ lake }: LakeFlags) => {
      const { describeLake } = await import("../../lake/describe-lake.ts");
      const { machines, problems } = describeLake(resolve(context.io.workingFolder, lake));
      const now = context.clock().now();
      context.printResult(
        summarizeLakeStatus(machines, now),
        await describeLakeStatus(machines, now, context.io.stdout.columns),
      );
      for (const problem of problems) {
        context.logger.warn(problem.message);
        context.exitCode = Math.max(context.exitCode, exitCodeOf(problem));
      }
    });
  command
    .command("forget")
    .description("take all that a machine has published out of the lake, for good")
    .argument("<source>", "the machine's name")
    .addOption(lakeOption())
    .addHelpText(
      "after",
      "\nWhoever is reading the machine's files fails. Nothing on the machine itself changes.\n\nExample:\n  $ venue lake forget west --lake /mnt/lake\n",
    )
    .action(async (source: string, { lake }: LakeFlags) => {
      const { forgetMachine } = await import("../../publish/lake/forget-machine.ts");
      const folder = resolve(context.io.workingFolder, lake);
      const { files, bytes } = await forgetMachine(folder, source);
      context.printResult(
        { lake: folder, source, files, bytes },
        `${folder} no longer has ${source}: ${files} files, ${toMegabytes(bytes)} MB were removed.`,
      );
    });
}

function lakeOption(): Option {
  return new Option("--lake <folder>", "the lake's folder").argParser(nonEmpty).makeOptionMandatory();
}
