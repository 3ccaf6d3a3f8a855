import { getCredentials } from "../config/credentials.ts";
import type { Settings, Stranger } from "../config/settings.ts";
import { variableNames } from "../config/variables.ts";
import { closestWord } from "../util/text/words.ts";

/** The first that is malformed; the others stand in the list of settings. */
export function checkSettings(settings: Settings): string {
  const problems = variableNames.flatMap((name) => settings.findProblem(name) ?? []);
  if (problems[0]) throw problems[0];
  const strangers = settings.listStrangers().map(describeStranger);
  return strangers.length === 0 ? "all well-formed" : `all well-formed, but ${strangers.join("; ")}`;
}

function describeStranger({ name, origin }: Stranger): string {
  const bare = (setting: string) => setting.slice("VENUE_".length);
  const meant = closestWord(bare(name), variableNames.map(bare));
  return `${name} (from ${origin}) is no setting${meant === undefined ? "" : `: did you mean VENUE_${meant}?`}`;
}

export function checkGroups(settings: Settings): string {
  return `to collect: ${settings.get("VENUE_GROUP_IDS").join(", ")}`;
}

export function checkCredentials(settings: Settings): string {
  const { clientId, origin } = getCredentials(settings);
  return `client ${clientId}, from ${origin}`;
}
