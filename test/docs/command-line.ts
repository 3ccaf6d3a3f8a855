import { Command } from "commander";
import type { CliContext } from "../../src/cli/cli-context.ts";
import { commandList } from "../../src/cli/command-list.ts";
import { settingOptions } from "../../src/cli/setting-options.ts";

/** The program's command line with all its commands; none of them acts. */
export async function commandLine(): Promise<Command> {
  const program = new Command("venue")
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .option("--debug")
    .option("--json")
    .version("0");
  for (const option of settingOptions()) program.addOption(option);
  for (const { name, load } of commandList) {
    const { define } = await load();
    // Only actions use it.
    define(program.command(name), undefined as unknown as CliContext);
  }
  for (const command of listCommands(program)) {
    // A command with subcommands can also be run by itself if it has flags.
    if (command.commands.length === 0 || command.options.length > 0) command.action(() => {});
  }
  return program;
}

/** A command and all its subcommands. */
export function listCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}
