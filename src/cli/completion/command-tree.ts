import type { Argument, Command, Option } from "commander";
import type { WordParser } from "../arguments.ts";

/** A word that may come next. */
export interface Candidate {
  name: string;
  description: string;
}

/** What a flag's value may be: words, the name of a file, or anything. */
export type Values = Candidate[] | "file" | "any";

interface FlagNode extends Candidate {
  /** `undefined`: a switch. */
  values: Values | undefined;
}

/** A command, and what may follow it. */
export interface CommandNode {
  /** `""` for the program itself, else as it is typed: `api devices status`. */
  path: string;
  words: Values;
  flags: FlagNode[];
  /** Flags that help leaves out, because every command takes them. */
  hiddenFlags: FlagNode[];
}

/** Placeholders that stand for a file or folder. */
const filePlaceholder = /<(file|folder|dir|path)>|\[?<?(file|folder)\.\.\./i;

/** Every command below the program, itself first, in the order of its help. */
export function commandTree(program: Command): CommandNode[] {
  return [...nodesOf(program, "", [])];
}

function* nodesOf(command: Command, path: string, inherited: FlagNode[]): Generator<CommandNode> {
  const visible = command.options.filter(({ hidden }) => !hidden).map(flagOf);
  const own = [...visible.flat(), { name: "--help", description: "print its help", values: undefined }];
  const flags = [...own, ...inherited];
  yield {
    path,
    words: wordsOf(command),
    flags,
    hiddenFlags: command.options.filter(({ hidden }) => hidden).flatMap(flagOf),
  };
  // Every command takes the program's own flags, too; to ask for the version is of use in one place.
  const passedOn =
    path === "" ? visible.flat().filter(({ name }) => !/^(-v|--version)$/.test(name)) : inherited;
  for (const child of command.commands) {
    yield* nodesOf(child, `${path} ${child.name()}`.trim(), passedOn);
  }
}

function wordsOf(command: Command): Values {
  if (command.commands.length > 0) {
    return command.commands.map((child) => ({ name: child.name(), description: child.description() }));
  }
  const [argument] = command.registeredArguments;
  return argument ? valuesOf(argument, `<${argument.name()}>`) : [];
}

/** One for each way to write it. */
function flagOf(option: Option): FlagNode[] {
  const takesValue = option.required || option.optional;
  const values = takesValue ? valuesOf(option, option.flags) : undefined;
  return [option.long, option.short].flatMap((name) =>
    name ? [{ name, description: option.description, values }] : [],
  );
}

function valuesOf({ argChoices, parseArg }: Argument | Option, placeholder: string): Values {
  const words = argChoices ?? (parseArg as Partial<WordParser<string>> | undefined)?.words;
  if (words) return words.map((name) => ({ name, description: "" }));
  return filePlaceholder.test(placeholder) ? "file" : "any";
}
