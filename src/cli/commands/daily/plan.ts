import type { Command } from "commander";
import type { SyncTopic } from "../../../extract/sync-topic.ts";
import type { CliContext } from "../../cli-context.ts";
import { describePlan, summarizePlan } from "../../results/describe-sync.ts";
import { openWorkspace } from "../../run-recorded.ts";
import { parseSyncOptions, type SyncFlags, withSyncFlags } from "../../sync-flags.ts";

export function define(command: Command, context: CliContext): void {
  withSyncFlags(command)
    .addHelpText("after", "\nExample:\n  $ venue plan --mode walk\n")
    .action(async (words: SyncTopic[] = [], flags: SyncFlags) => {
      const { planSync } = await import("../../../extract/plan/plan-sync.ts");
      const workspace = await openWorkspace(context, context.settings);
      try {
        const facts = { ...workspace, now: workspace.clock.now() };
        const planned = planSync(facts, parseSyncOptions(words, flags));
        context.printResult(summarizePlan(planned), describePlan(planned));
      } finally {
        workspace.state.close();
      }
    });
}
