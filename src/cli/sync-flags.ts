import { Argument, type Command, Option } from "commander";
import type { Mode } from "../extract/plan/history-plan.ts";
import { defaultCampaignMinutes, type SyncOptions } from "../extract/plan/sync-options.ts";
import { type SyncTopic, syncTopics } from "../extract/sync-topic.ts";
import { keepLandingOption, minutes, oneOf } from "./arguments.ts";

/** What `venue sync` and `venue plan` share. */
export interface SyncFlags {
  mode: Mode;
  full?: boolean;
  maxMinutes?: number;
  campaignMinutes: number;
  keepLanding: number;
}

export function withSyncFlags(command: Command): Command {
  return command
    .addArgument(topicArgument())
    .addOption(
      new Option("--mode <mode>", "collect histories by export, by walks of zones, or whichever is cheaper")
        .argParser(oneOf("auto", "export", "walk"))
        .default("auto"),
    )
    .option("--full", "walk everything again, not only what is new")
    .addOption(
      new Option(
        "--max-minutes <minutes>",
        "start nothing new after this many minutes; the next sync continues",
      ).argParser(minutes),
    )
    .addOption(
      new Option("--campaign-minutes <minutes>", "minutes' worth of requests for zones' campaigns and assets")
        .argParser(minutes)
        .default(defaultCampaignMinutes),
    )
    .addOption(keepLandingOption());
}

export function syncOptionsOf(words: readonly SyncTopic[], flags: SyncFlags): SyncOptions {
  const { mode, full, maxMinutes, campaignMinutes, keepLanding } = flags;
  return {
    topics: words.length > 0 ? words : syncTopics,
    keepLandingDays: keepLanding,
    mode,
    isFull: full,
    maxMinutes,
    campaignMinutes,
  };
}

function topicArgument(): Argument {
  const argument = new Argument("[topic...]", "what to collect (default: everything)").choices(syncTopics);
  return argument.argParser(collectTopics);
}

function collectTopics(word: string, earlier: readonly SyncTopic[] = []): SyncTopic[] {
  return [...earlier, oneOf(...syncTopics)(word)];
}
