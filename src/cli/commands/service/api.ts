import { type Command, Option } from "commander";
import { type Action, resources } from "../../api/actions.ts";
import { expandFlagKeys, type Flag, type Inputs } from "../../api/flags.ts";
import type { CliContext } from "../../cli-context.ts";

/** Defines a command for every endpoint of the service: one per resource, with one subcommand per action. */
export function define(command: Command, context: CliContext): void {
  command.addHelpText(
    "after",
    `
Prints readable text or, with --json, the service's response. Actions that
change something need a confirmation on a terminal, or --yes.

Example:
  $ venue api devices status --group-id 58429
`,
  );
  for (const { name, summary, actions } of resources) {
    const parent = command.command(name).description(summary);
    const [first] = actions;
    if (first) parent.addHelpText("after", buildExample(name, first));
    for (const action of actions) addAction(parent, context, action);
  }
}

function addAction(parent: Command, context: CliContext, action: Action): void {
  const command = parent.command(action.name).description(action.summary);
  for (const [key, flag] of Object.entries(expandFlagKeys(action.flags)))
    command.addOption(createOption(key, flag));
  if (action.effect || action.isYesAccepted) command.option("-y, --yes", "skip the confirmation");
  const notes = action.notes ? `\n${action.notes}\n` : "";
  command
    .addHelpText("after", `${notes}${buildExample(parent.name(), action)}`)
    .action(async (inputs: Inputs) => {
      const { runAction } = await import("../../api/run-action.ts");
      await runAction(context, parent.name(), action, inputs, command);
    });
}

/** Builds an example that uses all required flags, with a group as the owner. */
function buildExample(resource: string, action: Action): string {
  const flags = Object.entries(expandFlagKeys(action.flags.replace("owner", "groupId")))
    .filter(([, { isRequired }]) => isRequired)
    .map(([, { name, example }]) => `--${name} ${example}`);
  const words = ["venue api", resource, action.name, ...flags, ...(action.effect ? ["--yes"] : [])];
  return `\nExample:\n  $ ${words.join(" ")}\n`;
}

function createOption(
  key: string,
  { name, placeholder, description, parse, choices, conflicts, isRequired }: Flag,
): Option {
  const option = new Option(`--${name}${placeholder ? ` <${placeholder}>` : ""}`, description);
  // The client's name, which may differ from the flag's.
  option.attributeName = () => key;
  if (choices) option.choices([...choices]);
  if (placeholder) option.argParser(parse);
  if (conflicts) option.conflicts(conflicts);
  return option.makeOptionMandatory(isRequired);
}
