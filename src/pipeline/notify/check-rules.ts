import { ownFolderOf } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { countOf, findClosestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import { sendNow } from "./delivery/deliver.ts";
import { readWebhooks } from "./delivery/webhooks.ts";
import { composeDigests, type RuleOutput } from "./messages/compose-digests.ts";
import { evaluateRule } from "./rules/evaluate-rule.ts";
import type { Evaluation } from "./rules/evaluation.ts";
import { forEachRule, type ReadOnlyWorkspace } from "./rules/for-each-rule.ts";
import { describeFailedRule, type Rule, readRules } from "./rules/read-rules.ts";

export interface CheckedRules {
  path: string;
  /** The valid rules with what each finds now, as text for readers. */
  rules: { name: string; finding: string }[];
  mistakes: string[];
}

/** Checks `notify.csv` line by line, its recipients, and each view on the published version. Sends nothing. */
export async function checkRules(workspace: ReadOnlyWorkspace): Promise<CheckedRules> {
  const { settings, clock } = workspace;
  const file = await readRules(ownFolderOf(settings));
  const { path, rules, mistakes } = file;
  const found = [...mistakes, ...findMissingReceivers(rules, settings)];
  const findings = new Map(rules.map(({ name }) => [name, "nothing is published yet"]));
  await forEachRule(workspace, rules, async (rule, mart) => {
    try {
      const evaluation = await evaluateRule(mart, rule, { settings, now: clock.now() });
      findings.set(rule.name, describe(rule, evaluation));
    } catch (error) {
      workspace.signal.throwIfAborted();
      if (!(error instanceof VenueError)) throw error;
      findings.delete(rule.name);
      found.push(describeFailedRule(file, rule, error));
    }
  });
  return { path, rules: [...findings].map(([name, finding]) => ({ name, finding })), mistakes: found };
}

/**
 * Sends a rule's whole view to its recipients, now and without the outbox.
 * @returns per recipient, the reason why it was not sent
 * @throws {VenueError} `NOTIFY_RULE` if the rule is unknown or cannot be evaluated
 */
export async function testRule(
  workspace: ReadOnlyWorkspace,
  name: string,
): Promise<{ recipient: string; problem: string | undefined }[]> {
  const { settings, clock } = workspace;
  const { path, rules } = await readRules(ownFolderOf(settings));
  const rule = rules.find((known) => known.name === name);
  if (rule === undefined) throw unknownRuleError(path, name, rules);
  const outputs: RuleOutput[] = [];
  const now = clock.now();
  await forEachRule(workspace, [rule], async (_rule, mart) => {
    const evaluation = await evaluateRule(mart, { ...rule, condition: "always" }, { settings, now });
    outputs.push({ rule, evaluation, notes: ["This is a test of the rule."] });
  });
  if (outputs.length === 0)
    throw new VenueError("NOTIFY_RULE", "usage", "Nothing is published yet. Run `venue run` first.");
  const results: { recipient: string; problem: string | undefined }[] = [];
  for (const { recipient, ...content } of composeDigests(outputs, { settings, now }))
    results.push({ recipient, problem: await sendNow(recipient, content, workspace) });
  return results;
}

function describe({ condition }: Rule, { matching, rowCount, unknown, suspended }: Evaluation): string {
  if (condition === "always") return `${countOf(rowCount, "row")} to send`;
  if (suspended !== undefined) return suspended;
  const unjudged = unknown.size > 0 ? `; ${countOf(unknown.size, "row")} can't be judged yet` : "";
  return `${countOf(matching.size, "incident")}${unjudged}`;
}

/** Lists the settings and webhooks that are missing to reach the recipients. */
function findMissingReceivers(rules: readonly Rule[], settings: Settings): string[] {
  const recipients = [...new Set(rules.flatMap((rule) => rule.recipients))];
  const isMailed = recipients.some((recipient) => recipient.startsWith("mailto:"));
  const missing = (["VENUE_SMTP_URL", "VENUE_MAIL_FROM"] as const).filter(
    (name) => settings.find(name) === undefined,
  );
  const names = recipients.flatMap((recipient) => /^webhook:(.*)$/.exec(recipient)?.[1] ?? []);
  const known = names.length > 0 ? readWebhooks(settings) : new Map();
  return [
    ...(isMailed ? missing.map((name) => `Mail can't be sent: set ${name}.`) : []),
    ...names
      .filter((name) => !known.has(name))
      .map((name) => `The webhook ${name} is not stored. Add it: venue notify add ${name}`),
  ];
}

function unknownRuleError(path: string, name: string, rules: readonly Rule[]): VenueError {
  const names = rules.map((rule) => rule.name);
  const meant = findClosestWord(name, names);
  return new VenueError(
    "NOTIFY_RULE",
    "usage",
    `${path} has no rule ${JSON.stringify(name)}.${meant === undefined ? "" : ` Did you mean ${meant}?`} Rules: ${names.join(", ") || "none"}.`,
  );
}
