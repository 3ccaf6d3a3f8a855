import type { Command } from "commander";
import { catalog } from "../report/catalog/catalog.ts";

/** The option parser's messages, each with its replacement. */
const sentences: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  // Omits the value, which may be a secret.
  [/^unknown option '([^'=]+)(?:=[\s\S]*)?'$/, (flag) => `Unknown flag ${flag}.`],
  [/^unknown command '(.+)'$/, (word) => `Unknown command "${word}".`],
  [
    /^option '(?:-\w, )?(\S+).*' argument '([\s\S]*)' is invalid\. ([\s\S]*)$/,
    (flag, value, why) => `${flag} does not take "${value}". ${why}`,
  ],
  [
    /^command-argument value '([\s\S]*)' is invalid for argument '(.+)'\. ([\s\S]*)$/,
    (value, name, why) => `Unknown ${name} "${value}". ${why}`,
  ],
  [/^option '((\S+).*)' argument missing$/, (form, flag) => `${flag} needs a value: ${form}.`],
  [/^required option '(.+)' not specified$/, (form) => `${form} is missing.`],
];

function explainWords(
  { registeredArguments, args }: Command,
  problem: string,
  name: string,
): string | undefined {
  const [argument] = registeredArguments;
  const [verb, noun] =
    argument?.name() === "select" ? ["Give", "select statement"] : ["Name", argument?.name()];
  if (problem.startsWith("missing required argument"))
    return `${verb} a ${noun}${argument?.argChoices ? `: ${argument.argChoices.join(", ")}` : ""}.`;
  if (!problem.startsWith("too many arguments")) return undefined;
  return noun === undefined
    ? `\`${name}\` takes only flags, not ${args.join(" ")}.`
    : `Expected one ${noun}, got ${args.length}: ${args.join(" ")}.`;
}

export function unknownCommand(complaint: string): string | undefined {
  return /^error: unknown command '(.+)'$/m.exec(complaint)?.[1];
}

/**
 * Returns one message about wrong arguments: the problem, a suggestion and the help to read.
 * @param complaint the option parser's message, starting with `error: `
 * @param name full name of the command, e.g. `venue report`
 */
export function explainUsage(complaint: string, command: Command, name: string): string {
  const [problem = "", ...meant] = complaint.slice("error: ".length).trim().split("\n");
  const word = unknownCommand(complaint) ?? "";
  if (name === "venue" && Object.hasOwn(catalog, word))
    return `Unknown command "${word}". Did you mean \`venue report ${word}\`? See \`venue report --help\`.`;
  const sentence =
    sentences.flatMap(([pattern, format]) => {
      const found = pattern.exec(problem);
      return found ? [format(...found.slice(1))] : [];
    })[0] ?? explainWords(command, problem, name);
  const suggestions = meant.map((line) => ` ${line.replaceAll(/^\(|\)$/g, "")}`).join("");
  return `${sentence ?? `${problem}.`}${suggestions} See \`${name} --help\`.`;
}
