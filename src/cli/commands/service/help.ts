import type { Command } from "commander";
import { variableNames } from "../../../config/variables.ts";
import { findClosestWord } from "../../../util/text/words.ts";
import type { CliContext } from "../../cli-context.ts";
import { settingHelp } from "../../setting-options.ts";

export function define(command: Command, context: CliContext): void {
  command
    .argument("[word]", "a command, setting, report, column, state, or dimension of --by")
    .addHelpText("after", "\nExample:\n  $ venue help uptime\n  $ venue help availability\n")
    .action(async (word?: string) => {
      const program = command.parent as Command;
      if (word === undefined) return program.outputHelp();
      const subject = program.commands.find((one) => one.name() === word);
      if (subject) return subject.outputHelp();
      const setting = variableNames.find((name) => name === word);
      if (setting) return context.print(settingHelp(setting));
      const help = await import("../../help-topics.ts");
      const custom = help.listKnownCustom(context);
      const text =
        help.reportHelp(word) ??
        help.customHelp(word, custom) ??
        help.describeColumnWord(word, custom) ??
        help.describeComparedColumn(word) ??
        help.describeStateOrBy(word);
      if (text !== undefined) return context.print(text);
      const words = [
        ...program.commands.map((one) => one.name()),
        ...variableNames,
        ...help.listReportWords(custom),
      ];
      const meant = findClosestWord(word, words);
      program.error(`error: No help on "${word}"${meant ? `\n(Did you mean ${meant}?)` : ""}`);
    });
}
