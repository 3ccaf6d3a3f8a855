import { Option } from "commander";
import { flagOf, type Variable, type VariableName, variableNames, variables } from "../config/variables.ts";

/** One option per setting that is not a secret; every command takes them. */
export function settingOptions(): Option[] {
  return variableNames.flatMap((name) => {
    const flag = flagOf(name);
    if (!flag) return [];
    const { description, placeholder, parser } = variables[name] as Variable;
    const option = new Option(`${flag} <${placeholder.toLowerCase()}>`, `${description} [${name}]`);
    // Known to completion; what is wrong with a setting is said alike wherever it comes from.
    if (parser.words) option.argChoices = [...parser.words];
    return [option.hideHelp()];
  });
}

/** For the program's own help, below the commands. */
export function settingsHelp(): string {
  const lines = variableNames.map((name) => `  ${settingHelp(name)}`);
  return `\nSettings, from a flag, the environment or .env; every command takes them:\n${lines.join("\n")}\n`;
}

/** A setting with its flag, and below what it is. */
export function settingHelp(name: VariableName): string {
  const { description, placeholder } = variables[name] as Variable;
  const flag = flagOf(name);
  return `${name}${flag ? `, ${flag} <${placeholder.toLowerCase()}>` : ""}\n      ${description}`;
}

/** The settings that were given as flags, by variable. */
export function flagsGiven(options: Record<string, unknown>): Partial<Record<VariableName, string>> {
  const given = variableNames.map((name) => [name, options[attributeOf(name)]] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === "string"));
}

/** `VENUE_DATA_DIR` → `dataDir`, as the option parser names it. */
function attributeOf(name: VariableName): string {
  return name
    .slice("VENUE_".length)
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
