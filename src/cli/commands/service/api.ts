import { type Command, Option } from "commander";
import type { Action, Resource } from "../../api/action.ts";
import { type Flag, flagName } from "../../api/flags/flag.ts";
import { resources } from "../../api/resources.ts";
import type { CliContext } from "../../cli-context.ts";

/** Every endpoint of the service by name: a command per resource, and below it one per action. */
export function define(command: Command, context: CliContext): void {
  command.addHelpText(
    "after",
    `
Prints a readable form; with --json, the service's answer. Actions that change
something ask first; without a terminal they need --yes.

Example:
  $ venue api devices status --group-id 58429
`,
  );
  for (const resource of resources) {
    const parent = command.command(resource.name).description(resource.summary);
    const [first] = resource.actions;
    if (first) parent.addHelpText("after", exampleOf(resource, first));
    for (const action of resource.actions) {
      addAction(parent, context, resource as Resource, action as Action<unknown>);
    }
  }
}

function addAction(parent: Command, context: CliContext, resource: Resource, action: Action<unknown>): void {
  const command = parent.command(action.name).description(action.summary);
  for (const [key, flag] of Object.entries(action.flags)) command.addOption(optionOf(key, flag));
  if (action.announce || action.isYesTaken) command.option("-y, --yes", "do it without asking");
  const notes = action.notes ? `\n${action.notes}\n` : "";
  command
    .addHelpText("after", `${notes}${exampleOf(resource, action)}`)
    .action(async (inputs: Record<string, unknown>) => {
      const { runAction } = await import("../../api/run-action.ts");
      await runAction(context, resource as Resource<never>, action, inputs, command);
    });
}

function exampleOf(
  resource: { name: string },
  action: Pick<Action<never>, "name" | "example" | "announce">,
): string {
  const words = ["venue api", resource.name, action.name, action.example, action.announce ? "--yes" : ""];
  return `\nExample:\n  $ ${words.filter((word) => word !== "").join(" ")}\n`;
}

function optionOf(key: string, flag: Flag<unknown>): Option {
  const { placeholder, description, parse, choices, isRequired, conflicts } = flag;
  const option = new Option(`${flagName(key)}${placeholder ? ` <${placeholder}>` : ""}`, description);
  if (choices) option.choices([...choices]);
  if (parse) option.argParser(parse);
  if (conflicts) option.conflicts(conflicts);
  return option.makeOptionMandatory(isRequired);
}
