import { Argument, type Command, Option } from "commander";
import { toFlag, type Variable, type VariableName, variableNames, variables } from "../config/variables.ts";
import type { Mode } from "../extract/plan/history-plan.ts";
import { defaultCampaignMinutes, type SyncOptions } from "../extract/plan/sync-options.ts";
import { type SyncTopic, syncTopics } from "../extract/sync-topic.ts";
import { keepLandingOption, minutes, oneOf } from "./arguments.ts";

/** Creates one option per setting that is not a secret; every command takes them. */
export function settingOptions(): Option[] {
  return variableNames.flatMap((name) => {
    const flag = toFlag(name);
    if (!flag) return [];
    const { description, placeholder, parser } = variables[name] as Variable;
    const option = new Option(`${flag} <${placeholder.toLowerCase()}>`, `${description} [${name}]`);
    // Only for completion: `Settings` reports invalid values, in the same way for every origin.
    if (parser.words) option.argChoices = [...parser.words];
    return [option.hideHelp()];
  });
}

export function settingsHelp(): string {
  const lines = variableNames.map((name) => `  ${settingHelp(name)}`);
  return `\nSettings, from flags, the environment or .env (every command accepts them):\n${lines.join("\n")}\n`;
}

/** Returns a setting with its flag, and its description on the next line. */
export function settingHelp(name: VariableName): string {
  const { description, placeholder } = variables[name] as Variable;
  const flag = toFlag(name);
  return `${name}${flag ? `, ${flag} <${placeholder.toLowerCase()}>` : ""}\n      ${description}`;
}

export function readGivenFlags(options: Record<string, unknown>): Partial<Record<VariableName, string>> {
  const given = variableNames.map((name) => [name, options[toAttributeName(name)]] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === "string"));
}

/** Converts a setting's name to the option parser's, e.g. `VENUE_DATA_DIR` to `dataDir`. */
function toAttributeName(name: VariableName): string {
  return name
    .slice("VENUE_".length)
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Flags of `venue sync` and `venue plan`. */
export interface SyncFlags {
  mode: Mode;
  full?: boolean;
  maxMinutes?: number;
  campaignMinutes: number;
  keepLanding: number;
}

export function withSyncFlags(command: Command): Command {
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
    )
    .addOption(keepLandingOption());
}

export function parseSyncOptions(words: readonly SyncTopic[], flags: SyncFlags): SyncOptions {
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

function createTopicArgument(): Argument {
  const argument = new Argument("[topic...]", "what to collect (default: everything)").choices(syncTopics);
  return argument.argParser(collectTopics);
}

function collectTopics(word: string, earlier: readonly SyncTopic[] = []): SyncTopic[] {
  return [...earlier, oneOf(...syncTopics)(word)];
}
