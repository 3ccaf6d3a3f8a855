import { Argument, Command } from "commander";
import { oneOf } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { type Shell, shells } from "../completion/shells.ts";

const installs: Record<Shell, string> = {
  bash: "venue completion bash > ~/.local/share/bash-completion/completions/venue",
  zsh: "venue completion zsh > ~/.zfunc/_venue   # a folder in fpath",
  fish: "venue completion fish > ~/.config/fish/completions/venue.fish",
};

export function completionCommand(context: CliContext): Command {
  const shell = new Argument("<shell>", "whose script to print").choices(shells).argParser(oneOf(...shells));
  const lines = Object.values(installs).map((line) => `  $ ${line}`);
  return new Command("completion")
    .description("print a script that completes commands, flags and words in a shell")
    .addArgument(shell)
    .addHelpText(
      "after",
      `\nWrite it where the shell looks for it; new shells have it:\n${lines.join("\n")}\n`,
    )
    .addHelpText("after", '\nExample:\n  $ eval "$(venue completion bash)"\n')
    .action(async (name: Shell, _flags: object, command: Command) => {
      const { completionScript } = await import("../completion/completion-script.ts");
      if (command.parent) context.print(completionScript(name, command.parent));
    });
}
