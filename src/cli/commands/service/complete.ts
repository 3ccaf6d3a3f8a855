import type { Argument, Command, Option } from "commander";
import type { WordParser } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";

/** Lists completions for a command line: `name<tab>description` per line, or `@file` for file names. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[word...]", "the words after `venue`, the last one incomplete")
    .action(async (words: string[]) => {
      const program = command.parent;
      if (!program) return;
      const typed = words.slice(0, -1).filter((word) => word !== "=");
      const { completeAttributes } = await import("../../complete-attributes.ts");
      const attributes = await completeAttributes(context, typed, words.at(-1) ?? "");
      for (const line of attributes ?? listCandidates(program, words)) context.print(line);
    });
}

function listCandidates(program: Command, words: readonly string[]): string[] {
  const typed = words.slice(0, -1).filter((word) => word !== "=");
  const current = words.at(-1) ?? "";
  let command = program;
  let open: Option | undefined;
  for (const word of typed) {
    if (open) open = undefined;
    else if (word.startsWith("-")) open = valueOption(program, command, word);
    else command = command.commands.find((child) => child.name() === word) ?? command;
  }
  if (open) return listValues(open, open.flags);
  const [flag = "", value] = current.split("=");
  if (value !== undefined && flag.startsWith("--")) {
    const option = valueOption(program, command, flag);
    const values = option ? listValues(option, option.flags) : [];
    return values.filter((line) => line !== "@file").map((line) => `${flag}=${line}`);
  }
  return current.startsWith("-") ? listFlags(program, command, current) : listWords(command);
}

function findOption(program: Command, command: Command, flag: string): Option | undefined {
  return [...command.options, ...program.options].find(
    (option) => option.long === flag || option.short === flag,
  );
}

/** Returns the flag's option if its value is the next word. */
function valueOption(program: Command, command: Command, word: string): Option | undefined {
  const option = word.includes("=") ? undefined : findOption(program, command, word);
  return option && (option.required || option.optional) ? option : undefined;
}

function listWords(command: Command): string[] {
  const children = command.commands.filter((child) => child.name() !== "complete");
  if (children.length > 0) return children.map((child) => `${child.name()}\t${child.description()}`);
  const [argument] = command.registeredArguments;
  return argument ? listValues(argument, `<${argument.name()}>`) : [];
}

/**
 * Lists flags of the command and the program. Settings, which help hides, appear only if nothing else
 * matches.
 */
function listFlags(program: Command, command: Command, current: string): string[] {
  const isShown = ({ hidden }: Option) => !hidden;
  const shared = program.options.filter((option) => command === program || option.long !== "--version");
  const own = command === program ? [] : command.options;
  const lines = [...own, ...shared.filter(isShown)].flatMap(formatLines);
  lines.push("--help\tprint its help");
  const matching = lines.filter((line) => line.startsWith(current));
  return matching.length > 0 ? matching : program.options.flatMap(formatLines);
}

function formatLines({ long, short, description }: Option): string[] {
  return [long, short].flatMap((name) => (name ? [`${name}\t${description.replace(/\s+/g, " ")}`] : []));
}

const filePlaceholder = /<(file|folder|dir|path)>|\[?<?(file|folder)\.\.\./i;

function listValues({ argChoices, parseArg }: Argument | Option, placeholder: string): string[] {
  const words = argChoices ?? (parseArg as Partial<WordParser<string>> | undefined)?.words;
  if (words) return [...words];
  return filePlaceholder.test(placeholder) ? ["@file"] : [];
}
