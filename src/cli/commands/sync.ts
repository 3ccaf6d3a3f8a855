import { Argument, Command } from "commander";
import { type SyncTopic, syncTopics } from "../../extract/sync-topic.ts";
import { keepLandingOption } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { describeSync, syncExitCode } from "../describe-sync.ts";
import { recordedRun } from "../recorded-run.ts";

export function syncCommand(context: CliContext): Command {
  return new Command("sync")
    .description("collect from the service and load what comes")
    .addArgument(new Argument("[topic...]", "what to collect; no word = all").choices(syncTopics))
    .addOption(keepLandingOption())
    .addHelpText("after", "\nExample:\n  $ venue sync history --group-ids 58429,58430\n")
    .action(async (words: SyncTopic[], { keepLanding }: { keepLanding: number }) => {
      const { sync } = await import("../../pipeline/sync.ts");
      await recordedRun(context, ["sync", ...words].join(" "), async (workspace) => {
        const chosen = words.length > 0 ? words : syncTopics;
        const result = await sync(workspace, { topics: chosen, keepLandingDays: keepLanding });
        return { ...describeSync(result), exitCode: syncExitCode(result) };
      });
    });
}
