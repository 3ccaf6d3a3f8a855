import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { DataFolder } from "../../../config/data-folder.ts";
import { type WebhookForm, webhookForms } from "../../../pipeline/notify/delivery/webhooks.ts";
import type { NotifyState } from "../../../pipeline/notify/notify.ts";
import type { ReadOnlyWorkspace } from "../../../pipeline/notify/rules/evaluate-rules.ts";
import { ruleColumns } from "../../../pipeline/notify/rules/read-rules.ts";
import { countOf } from "../../../util/text/words.ts";
import { localPath, oneOf } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { isTerminal, readAll, readHiddenLine } from "../../read-line.ts";
import { describeNotified } from "../../results/describe-notified.ts";
import { runRecorded } from "../../run-recorded.ts";

/** Limit for a typed or piped URL; webhook URLs are much shorter. */
const maxUrlBytes = 8_192;

export function define(command: Command, context: CliContext): void {
  command
    .option("--dry-run", "print what the next run would send; send and record nothing", false)
    .addHelpText(
      "after",
      `
Rules in own/notify.csv define what is sent to whom; own/quiet.csv pauses them.
Runs and builds also send notifications; this command sends them without a run.

Examples:
  $ venue notify check
  $ venue notify --dry-run
  $ venue notify add ops
`,
    )
    .action(async ({ dryRun }: { dryRun: boolean }) => {
      if (dryRun) return await preview(context);
      const { notify } = await import("../../../pipeline/notify/notify.ts");
      await runRecorded(context, "notify", async (workspace) => describeNotified(await notify(workspace)));
    });
  command
    .command("check")
    .description("list mistakes in own/notify.csv and own/quiet.csv, and what each rule finds now")
    .addHelpText("after", "\nExample:\n  $ venue notify check\n")
    .action(() => check(context));
  command
    .command("test")
    .description("send a test message with a rule's rows to its recipients now")
    .argument("<name>", "name of a rule in own/notify.csv")
    .addHelpText("after", "\nExample:\n  $ venue notify test missed\n")
    .action((name: string) => test(context, name));
  command
    .command("add")
    .description("store the URL of a webhook, read from a prompt or from stdin")
    .argument("<name>", "lower-case letters, digits, - and _")
    .addOption(
      new Option("--form <form>", "json, slack or teams (default: chosen by the URL's host)").argParser(
        oneOf(...webhookForms),
      ),
    )
    .addOption(
      new Option("--body <file>", "a template of the body, for receivers that need another format")
        .argParser(localPath)
        .conflicts("form"),
    )
    .addHelpText(
      "after",
      `
A template may contain {subject}, {text}, {status} (problem, over or report),
{count}, {link} and {id}. In a .json file, values are escaped for strings.

The URL is a secret. It is stored in webhooks.json in VENUE_HOME, readable only
by this user, and never shown. In notify.csv, the webhook is webhook:NAME.

Example:
  $ venue notify add ops < url.txt
  $ venue notify add chat --body chat.json
`,
    )
    .action(async (name: string, { form, body: file }: { form?: WebhookForm; body?: string }) => {
      const { addWebhook } = await import("../../../pipeline/notify/delivery/webhooks.ts");
      const { readTemplate } = await import("../../../pipeline/notify/delivery/body-template.ts");
      const body =
        file === undefined
          ? undefined
          : await readTemplate(resolve(context.io.workingFolder, file), context.signal);
      const url = await readUrl(context, name);
      const stored = addWebhook(context.settings, name, url, { form, body });
      context.printResult(
        { name, form: stored },
        `The webhook ${name} is stored. It gets messages as ${file ?? stored}.`,
      );
    });
  command
    .command("remove")
    .description("remove a webhook")
    .argument("<name>", "its name")
    .addHelpText("after", "\nExample:\n  $ venue notify remove ops\n")
    .action(async (name: string) => {
      const { removeWebhook } = await import("../../../pipeline/notify/delivery/webhooks.ts");
      removeWebhook(context.settings, name);
      context.printResult({ name }, `The webhook ${name} is removed.`);
    });
}

async function preview(context: CliContext): Promise<void> {
  const { prepareMessages } = await import("../../../pipeline/notify/notify.ts");
  const { renderMail } = await import("../../../pipeline/notify/delivery/render-message.ts");
  const workspace = createWorkspace(context);
  const state = await readState(workspace);
  const { messages, mistakes, held } = await prepareMessages(workspace, state);
  for (const mistake of mistakes) context.logger.warn(mistake);
  if (mistakes.length > 0) context.exitCode = exitCodes.finding;
  const sent = messages.flatMap(({ recipient, digest }) => (digest ? { recipient, ...digest } : []));
  const repeated = state.waiting.filter(({ id }) => !messages.some((message) => message.id === id)).length;
  const texts = sent.map((message) => `To: ${message.recipient}\n${renderMail(message).text}`);
  if (repeated > 0) texts.push(`Not delivered so far, to be sent again: ${countOf(repeated, "message")}.`);
  if (held.length > 0) texts.push(`Held back by quiet.csv: ${held.join(", ")}.`);
  context.printResult(sent, texts.length === 0 ? "The next run would send nothing." : texts.join("\n"));
}

async function check(context: CliContext): Promise<void> {
  const { checkRules } = await import("../../../pipeline/notify/check-rules.ts");
  const found = await checkRules(createWorkspace(context));
  if (found.mistakes.length > 0) context.exitCode = exitCodes.finding;
  const lines = [
    ...found.rules.map(({ name, finding }) => `ok    ${name}: ${finding}`),
    ...found.quiet.map(
      ({ view, from, to, reason }) =>
        `quiet ${view || "all"} from ${from} to ${to}${reason && `: ${reason}`}`,
    ),
    ...found.mistakes.map((mistake) => `FAIL  ${mistake}`),
  ];
  const none = `No rules in ${found.path}. It takes the columns ${ruleColumns.join()}.`;
  context.printResult(found, lines.length === 0 ? none : lines.join("\n"));
}

async function test(context: CliContext, name: string): Promise<void> {
  const { testRule } = await import("../../../pipeline/notify/check-rules.ts");
  const results = await testRule(createWorkspace(context), name);
  const failed = results.filter(({ problem }) => problem !== undefined);
  if (failed.length > 0) context.exitCode = exitCodes.service;
  const lines = results.map(({ recipient, problem }) =>
    problem === undefined ? `Sent to ${recipient}` : `Not sent to ${recipient}: ${problem}`,
  );
  context.printResult(results, lines.join("\n"));
}

function createWorkspace(context: CliContext): ReadOnlyWorkspace {
  const { settings, logger, signal } = context;
  return {
    settings,
    logger,
    signal,
    clock: context.clock(),
    folder: new DataFolder(settings.get("VENUE_DATA_DIR")),
  };
}

/** Returns the known incidents and waiting messages; there are none before the first run. */
async function readState({ folder: { stateFile } }: ReadOnlyWorkspace): Promise<NotifyState> {
  if (!existsSync(stateFile)) return { incidents: [], waiting: [] };
  const { openDataState } = await import("../../../state/data/data-state.ts");
  const state = openDataState(stateFile, { isReader: true });
  try {
    return { incidents: state.incidents.list(), waiting: state.outbox.listWaiting() };
  } finally {
    state.close();
  }
}

async function readUrl({ io, signal }: CliContext, name: string): Promise<string> {
  if (!isTerminal(io)) return (await readAll(io.stdin, signal, maxUrlBytes)) ?? "";
  const interrupt = () => process.kill(process.pid, "SIGINT");
  return (await readHiddenLine(io, `URL of the webhook ${name} (not shown): `, { signal, interrupt })) ?? "";
}
