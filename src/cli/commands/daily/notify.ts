import { type Command, Option } from "commander";
import type { WebhookForm } from "../../../pipeline/notify/webhooks.ts";
import { oneOf } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { isTerminal, readAll, readHiddenLine } from "../../read-line.ts";

/** Longer than the URL of any webhook. */
const maxUrlBytes = 8_192;
const forms: readonly WebhookForm[] = ["json", "slack", "teams"];

export function define(command: Command, context: CliContext): void {
  command.addHelpText("after", "\nExample:\n  $ venue notify add ops\n");
  command
    .command("add")
    .description("store the URL of a webhook, read from a prompt or from stdin")
    .argument("<name>", "lower-case letters, digits, - and _")
    .addOption(
      new Option("--form <form>", "json, slack or teams; by default, as the URL's host suggests").argParser(
        oneOf(...forms),
      ),
    )
    .addHelpText(
      "after",
      `
The URL is a secret. It is stored in webhooks.json in VENUE_HOME, readable only
by this user, and never shown. In notify.csv, the webhook is webhook:NAME.

Example:
  $ venue notify add ops < url.txt
`,
    )
    .action(async (name: string, { form }: { form?: WebhookForm }) => {
      const { addWebhook } = await import("../../../pipeline/notify/webhooks.ts");
      const url = await readUrl(context, name);
      const stored = addWebhook(context.settings, name, url, form);
      context.printResult(
        { name, form: stored },
        `The webhook ${name} is stored. It gets messages as ${stored}.`,
      );
    });
  command
    .command("remove")
    .description("remove a webhook")
    .argument("<name>", "its name")
    .addHelpText("after", "\nExample:\n  $ venue notify remove ops\n")
    .action(async (name: string) => {
      const { removeWebhook } = await import("../../../pipeline/notify/webhooks.ts");
      removeWebhook(context.settings, name);
      context.printResult({ name }, `The webhook ${name} is removed.`);
    });
}

async function readUrl({ io, signal }: CliContext, name: string): Promise<string> {
  if (!isTerminal(io)) return (await readAll(io.stdin, signal, maxUrlBytes)) ?? "";
  const interrupt = () => process.kill(process.pid, "SIGINT");
  return (await readHiddenLine(io, `URL of the webhook ${name} (not shown): `, { signal, interrupt })) ?? "";
}
