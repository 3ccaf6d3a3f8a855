import { getCredentials } from "../config/credentials.ts";
import type { Settings } from "../config/settings.ts";
import { variableNames } from "../config/variables.ts";

/** The first that is malformed; the others stand in the list of settings. */
export function checkSettings(settings: Settings): string {
  const problems = variableNames.flatMap((name) => settings.findProblem(name) ?? []);
  if (problems[0]) throw problems[0];
  return "all well-formed";
}

export function checkGroups(settings: Settings): string {
  return `to collect: ${settings.get("VENUE_GROUP_IDS").join(", ")}`;
}

export function checkCredentials(settings: Settings): string {
  const { clientId, origin } = getCredentials(settings);
  return `client ${clientId}, from ${origin}`;
}
