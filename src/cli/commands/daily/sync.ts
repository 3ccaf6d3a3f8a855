import type { Command } from "commander";
import type { SyncTopic } from "../../../extract/sync-topic.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import type { CliContext } from "../../cli-context.ts";
import { describeSync, syncExitCode } from "../../results/describe-sync.ts";
import { runNotifying } from "../../run-notifying.ts";
import { parseSyncOptions, type SyncFlags, withSyncFlags } from "../../sync-flags.ts";

export function define(command: Command, context: CliContext): void {
  withSyncFlags(command)
    .addHelpText("after", "\nExample:\n  $ venue sync history --max-minutes 60\n")
    .action(async (words: SyncTopic[] = [], flags: SyncFlags) => {
      const { sync } = await import("../../../pipeline/sync.ts");
      const { deliver } = await import("../../../pipeline/notify/delivery/deliver.ts");
      const recipe = async (workspace: Workspace) => {
        const result = await sync(workspace, parseSyncOptions(words, flags));
        return { ...describeSync(result), exitCode: syncExitCode(result) };
      };
      // Sends messages that earlier runs could not deliver.
      const send = (workspace: Workspace) => deliver({ ...workspace, outbox: workspace.state.outbox });
      await runNotifying(context, ["sync", ...words].join(" "), recipe, send);
    });
}
