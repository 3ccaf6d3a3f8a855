import { Argument, Command } from "commander";
import { type SyncTopic, syncTopics } from "../../extract/sync-topic.ts";
import { keepLandingOption, oneOf } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { describeSync, syncExitCode } from "../describe-sync.ts";
import { recordedRun } from "../recorded-run.ts";

function collectTopics(word: string, earlier: readonly SyncTopic[] = []): SyncTopic[] {
  return [...earlier, oneOf(...syncTopics)(word)];
}

export function syncCommand(context: CliContext): Command {
  return new Command("sync")
    .description("collect from the service and load what comes")
    .addArgument(
      new Argument("[topic...]", `what to collect: ${syncTopics.join(", ")}; no word = all`).argParser(
        collectTopics,
      ),
    )
    .addOption(keepLandingOption())
    .addHelpText("after", "\nExample:\n  $ venue sync history --group-ids 58429,58430\n")
    .action(async (words: SyncTopic[] = [], { keepLanding }: { keepLanding: number }) => {
      if (words.includes("status"))
        context.logger.info("Note: this version collects nothing of the status API yet.");
      const { sync } = await import("../../pipeline/sync.ts");
      await recordedRun(context, ["sync", ...words].join(" "), async (workspace) => {
        const chosen = words.length > 0 ? words : syncTopics;
        const result = await sync(workspace, { topics: chosen, keepLandingDays: keepLanding });
        return { ...describeSync(result), exitCode: syncExitCode(result) };
      });
    });
}
