import { Option } from "commander";
import { toFlag, type Variable, type VariableName, variableNames, variables } from "../config/variables.ts";

/** Creates one option per setting that is not a secret; every command accepts them. */
export function settingOptions(): Option[] {
  return variableNames.flatMap((name) => {
    const flag = toFlag(name);
    if (!flag) return [];
    const { description, placeholder, parser } = variables[name] as Variable;
    const option = new Option(`${flag} <${placeholder.toLowerCase()}>`, `${description} [${name}]`);
    // Used only by completion, because `Settings` reports invalid values from every origin in the same way.
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
