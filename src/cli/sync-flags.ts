import { Argument, type Command, Option } from "commander";
import type { Mode } from "../extract/plan/history-plan.ts";
import {
  type CollectOptions,
  defaultCampaignMinutes,
  type SyncOptions,
} from "../extract/plan/sync-options.ts";
import { type SyncTopic, syncTopics } from "../extract/sync-topic.ts";
import { keepLandingOption, minutes, oneOf } from "./arguments.ts";

/** Flags of `venue collect`. */
export interface CollectFlags {
  mode: Mode;
  full?: boolean;
  maxMinutes?: number;
  campaignMinutes: number;
}

/** Flags of `venue sync` and `venue plan`. */
export interface SyncFlags extends CollectFlags {
  keepLanding: number;
}

export function withSyncFlags(command: Command): Command {
  return withCollectFlags(command).addOption(keepLandingOption());
}

/** Adds the flags that all collecting commands share. */
export function withCollectFlags(command: Command): Command {
  return command
    .addArgument(createTopicArgument())
    .addOption(
      new Option("--mode <mode>", "collect histories by export, by walks of zones, or whichever is cheaper")
        .argParser(oneOf("auto", "export", "walk"))
        .default("auto"),
    )
    .option("--full", "walk whole histories again, not only new plays")
    .addOption(
      new Option(
        "--max-minutes <minutes>",
        "start no new work after this many minutes; the next sync continues",
      ).argParser(minutes),
    )
    .addOption(
      new Option(
        "--campaign-minutes <minutes>",
        "limit requests for campaigns and assets of zones to this many minutes",
      )
        .argParser(minutes)
        .default(defaultCampaignMinutes),
    );
}

export function parseSyncOptions(words: readonly SyncTopic[], flags: SyncFlags): SyncOptions {
  return { ...parseCollectOptions(words, flags), keepLandingDays: flags.keepLanding };
}

export function parseCollectOptions(
  words: readonly SyncTopic[],
  { mode, full, maxMinutes, campaignMinutes }: CollectFlags,
): CollectOptions {
  return {
    topics: words.length > 0 ? words : syncTopics,
    mode,
    isFull: full,
    maxMinutes,
    campaignMinutes,
  };
}

function createTopicArgument(): Argument {
  const argument = new Argument("[topic...]", "what to collect (default: everything)").choices(syncTopics);
  return argument.argParser(collectTopics);
}

function collectTopics(word: string, earlier: readonly SyncTopic[] = []): SyncTopic[] {
  return [...earlier, oneOf(...syncTopics)(word)];
}
