import type { Command } from "commander";
import type { SyncTopic } from "../../../extract/sync-topic.ts";
import type { CliContext } from "../../cli-context.ts";
import { describeSync, syncExitCode } from "../../results/describe-sync.ts";
import { runRecorded } from "../../run-recorded.ts";
import { parseSyncOptions, type SyncFlags, withSyncFlags } from "../../setting-options.ts";

export function define(command: Command, context: CliContext): void {
  withSyncFlags(command)
    .addHelpText("after", "\nExample:\n  $ venue sync history --max-minutes 60\n")
    .action(async (words: SyncTopic[] = [], flags: SyncFlags) => {
      const { sync } = await import("../../../pipeline/sync.ts");
      await runRecorded(context, ["sync", ...words].join(" "), async (workspace) => {
        const result = await sync(workspace, parseSyncOptions(words, flags));
        return { ...describeSync(result), exitCode: syncExitCode(result) };
      });
    });
}
