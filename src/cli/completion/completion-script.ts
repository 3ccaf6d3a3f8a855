import type { Command } from "commander";
import { bashScript } from "./bash-script.ts";
import { commandTree } from "./command-tree.ts";
import { fishScript } from "./fish-script.ts";
import { zshScript } from "./zsh-script.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export type Shell = keyof typeof scripts;

/** A script for a shell, made of the program's own commands, flags and words. */
export function completionScript(shell: Shell, program: Command): string {
  return scripts[shell](commandTree(program));
}
