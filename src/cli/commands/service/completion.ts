import { Argument, type Command } from "commander";
import { oneOf } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import type { Shell } from "../../completion/completion-script.ts";

const installs: Record<Shell, string> = {
  bash: "venue completion bash > ~/.local/share/bash-completion/completions/venue",
  zsh: "venue completion zsh > ~/.zfunc/_venue   # a folder in fpath",
  fish: "venue completion fish > ~/.config/fish/completions/venue.fish",
};
const shells = Object.keys(installs) as Shell[];

export function define(command: Command, context: CliContext): void {
  const shell = new Argument("<shell>", "whose script to print").choices(shells).argParser(oneOf(...shells));
  const lines = Object.values(installs).map((line) => `  $ ${line}`);
  command
    .addArgument(shell)
    .addHelpText(
      "after",
      `\nPut it where the shell looks for it; new shells will use it:\n${lines.join("\n")}\n`,
    )
    .addHelpText("after", '\nExample:\n  $ eval "$(venue completion bash)"\n')
    .action(async (name: Shell) => {
      const { completionScript } = await import("../../completion/completion-script.ts");
      if (command.parent) context.print(completionScript(name, command.parent));
    });
}
