import type { Command } from "commander";
import type { SyncTopic } from "../../../extract/sync-topic.ts";
import type { CliContext } from "../../cli-context.ts";
import { withNotified } from "../../results/describe-notified.ts";
import { describeSync, syncExitCode } from "../../results/describe-sync.ts";
import { runRecorded } from "../../run-recorded.ts";
import { parseSyncOptions, type SyncFlags, withSyncFlags } from "../../setting-options.ts";

export function define(command: Command, context: CliContext): void {
  withSyncFlags(command)
    .addHelpText("after", "\nExample:\n  $ venue sync history --max-minutes 60\n")
    .action(async (words: SyncTopic[] = [], flags: SyncFlags) => {
      const { sync } = await import("../../../pipeline/sync.ts");
      const { deliver } = await import("../../../pipeline/notify/delivery/deliver.ts");
      await runRecorded(context, ["sync", ...words].join(" "), async (workspace) => {
        const result = await sync(workspace, parseSyncOptions(words, flags));
        const outcome = { ...describeSync(result), exitCode: syncExitCode(result) };
        // Sends what earlier runs could not deliver.
        return withNotified(outcome, await deliver({ ...workspace, outbox: workspace.state.outbox }));
      });
    });
}
