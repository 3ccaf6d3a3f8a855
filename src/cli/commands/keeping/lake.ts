import { resolve } from "node:path";
import { type Command, Option } from "commander";
import type { PastVersion } from "../../../mart/shown-versions.ts";
import { countOf } from "../../../util/text/words.ts";
import { localPath, wholeNumber } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { describeHistory, summarizeHistory } from "../../results/describe-lake-history.ts";
import { describeLakeStatus, summarizeLakeStatus, toMegabytes } from "../../results/describe-lake-status.ts";

interface LakeFlags {
  lake: string;
}

const statusExample = "\nExample:\n  $ venue lake status --lake /mnt/lake\n";

export function define(command: Command, context: CliContext): void {
  defineHistory(command, context);
  command
    .addHelpText("after", statusExample)
    .command("status")
    .description("what each machine has published: months, plays, size, and how current it is")
    .addOption(lakeOption())
    .addHelpText("after", statusExample)
    .action(async ({ lake }: LakeFlags) => {
      const { describeLake } = await import("../../../lake/describe-lake.ts");
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
    .description("remove everything that a machine has published from the lake, for good")
    .argument("<source>", "the machine's name")
    .addOption(lakeOption())
    .addHelpText(
      "after",
      "\nReaders with that machine's files open get an error. Nothing on the machine itself changes.\n\nExample:\n  $ venue lake forget west --lake /mnt/lake\n",
    )
    .action(async (source: string, { lake }: LakeFlags) => {
      const { forgetMachine } = await import("../../../publish/lake/forget-machine.ts");
      const folder = resolve(context.io.workingFolder, lake);
      const { files, bytes } = await forgetMachine(folder, source);
      context.printResult(
        { lake: folder, source, files, bytes },
        `${folder} no longer has ${source}: ${countOf(files, "file")}, ${toMegabytes(bytes)} MB were removed.`,
      );
    });
}

function defineHistory(command: Command, context: CliContext): void {
  command
    .command("history")
    .description("the versions that Trino has shown to readers, the newest first; for --as-of")
    .addOption(new Option("--top <n>", "only the n newest").argParser(wholeNumber(1)).default(30))
    .addHelpText("after", "\nExample:\n  $ venue lake history --nessie-url https://nessie.example\n")
    .action(async ({ top }: { top: number }) => {
      const { connectNessie } = await import("../../../engines/connect-cluster.ts");
      const { listShown } = await import("../../../mart/shown-versions.ts");
      const nessie = connectNessie(context.settings, context.logger);
      const versions: PastVersion[] = [];
      try {
        for await (const version of listShown(nessie)) {
          versions.push(version);
          if (versions.length === top) break;
        }
      } finally {
        nessie.close();
      }
      context.printResult(summarizeHistory(versions), describeHistory(versions));
    });
}

function lakeOption(): Option {
  return new Option("--lake <folder>", "the lake's folder").argParser(localPath).makeOptionMandatory();
}
