import type { Command } from "commander";
import type { SyncTopic } from "../../../extract/sync-topic.ts";
import { formatSize } from "../../../report/text/readable-text.ts";
import { countOf } from "../../../util/text/words.ts";
import { folderOrS3Url, nonEmpty, takeOverOption } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { describeSync, syncExitCode } from "../../results/describe-sync.ts";
import { runRecorded } from "../../run-recorded.ts";
import { type CollectFlags, parseCollectOptions, withCollectFlags } from "../../sync-flags.ts";

interface CollectCommandFlags extends CollectFlags {
  to?: string;
  source: string;
  takeOver: boolean;
}

export function define(command: Command, context: CliContext): void {
  withCollectFlags(command)
    .option("--to <store>", "landing store: a folder or s3://bucket/prefix [VENUE_LANDINGS]", folderOrS3Url)
    .requiredOption("--source <name>", "name of this collector in the store", nonEmpty)
    .addOption(takeOverOption())
    .addHelpText(
      "after",
      `
Collects like sync, but loads nothing: a loader on another machine does that,
with venue run --from STORE. Each collector needs a separate API client, or a
fixed part of the agreed rate.

Example, for cron:
  0 3 * * *  cd /srv/venue && venue collect --source east >> collect.log 2>&1
`,
    )
    .action(async (words: SyncTopic[] = [], { to, source, takeOver, ...flags }: CollectCommandFlags) => {
      const store = context.findLandingStore(to);
      if (store === undefined)
        command.error(
          "error: --to needs a landing store, a folder or s3://bucket/prefix; or set VENUE_LANDINGS",
        );
      const { collectToStore } = await import("../../../pipeline/collect-to-store.ts");
      await runRecorded(context, ["collect", ...words, "--source", source].join(" "), async (workspace) => {
        const options = { ...parseCollectOptions(words, flags), to: store, source, takeOver };
        const result = await collectToStore(workspace, options);
        const { landings, bytes } = result.moved;
        const { summary, ...described } = describeSync(
          result,
          `${countOf(landings, "landing")} (${formatSize(bytes)}) moved to ${store}`,
        );
        return {
          ...described,
          summary: { ...summary, moved_landings: landings, moved_bytes: bytes },
          exitCode: syncExitCode(result),
        };
      });
    });
}
