import { randomUUID } from "node:crypto";
import { customFolderOf } from "../../config/data-folder.ts";
import { ConfigError } from "../../config/settings.ts";
import { countOf, findClosestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import { composeDigest, composeSection } from "./compose-digest.ts";
import { assertReachable, createSend } from "./delivery/deliver.ts";
import { evaluateRules, type ReadOnlyWorkspace, type RuleResult } from "./rules/evaluate-rules.ts";
import { type Quiet, readQuiet } from "./rules/read-quiet.ts";
import { type Rule, readRules } from "./rules/read-rules.ts";

export interface CheckedRules {
  path: string;
  /** The valid rules, each with its current findings as text. */
  rules: { name: string; finding: string }[];
  quiet: Quiet[];
  mistakes: string[];
}

/** Checks `notify.csv` and `quiet.csv` line by line, the recipients, and each view on the published version. Sends nothing. */
export async function checkRules(workspace: ReadOnlyWorkspace): Promise<CheckedRules> {
  const { settings, clock } = workspace;
  const file = await readRules(customFolderOf(settings));
  const { quiet, mistakes } = await readQuiet(customFolderOf(settings), file);
  const results = await evaluateRules(workspace, file, clock.now());
  const missing = new Set<string>();
  for (const recipient of new Set(file.rules.flatMap((rule) => rule.recipients)))
    await assertReachable(recipient, settings).catch((error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
      missing.add(error.message);
    });
  return {
    path: file.path,
    rules: results
      .filter(({ mistake }) => mistake === undefined)
      .map((result) => ({ name: result.rule.name, finding: describe(result) })),
    quiet,
    mistakes: [...file.mistakes, ...mistakes, ...missing, ...results.flatMap(({ mistake }) => mistake ?? [])],
  };
}

export interface TestResult {
  recipient: string;
  /** The reason why it was not sent. */
  problem: string | undefined;
}

/**
 * Sends a rule's whole view to its recipients, now and without the outbox.
 * @throws {VenueError} `NOTIFY_RULE` if the rule is unknown or cannot be evaluated
 */
export async function testRule(workspace: ReadOnlyWorkspace, name: string): Promise<TestResult[]> {
  const { settings, clock } = workspace;
  const now = clock.now();
  const { path, rules } = await readRules(customFolderOf(settings));
  const rule = rules.find((known) => known.name === name);
  if (rule === undefined) {
    const names = rules.map((known) => known.name);
    const meant = findClosestWord(name, names);
    const hint = meant === undefined ? `Rules: ${names.join(", ") || "none"}.` : `Did you mean ${meant}?`;
    throw ruleError(`${path} has no rule ${JSON.stringify(name)}. ${hint}`);
  }
  const always: Rule = { ...rule, condition: "always" };
  const [{ evaluation, mistake } = {}] = await evaluateRules(workspace, { path, rules: [always] }, now);
  if (evaluation === undefined)
    throw ruleError(mistake ?? "Nothing is published yet. Run `venue run` first.");
  const notes = ["This is a test of the rule.", ...evaluation.notes];
  const section = composeSection(always, { ...evaluation, notes }, [], { settings, now });
  const digest = composeDigest([section], { settings, now });
  const send = createSend(workspace);
  const results: TestResult[] = [];
  for (const recipient of rule.recipients) {
    const failure = await send({ id: randomUUID(), recipient, createdAt: now, digest });
    results.push({ recipient, problem: failure?.reason });
  }
  return results;
}

function describe({ rule, evaluation }: RuleResult): string {
  if (evaluation === undefined) return "nothing is published yet";
  const { matching, rowCount, undecided, suspended } = evaluation;
  if (rule.condition === "always") return `${countOf(rowCount, "row")} to send`;
  const others = undecided.size > 0 ? `; ${countOf(undecided.size, "row")} can't be evaluated yet` : "";
  return suspended ?? `${countOf(matching.size, "incident")}${others}`;
}

function ruleError(message: string): VenueError {
  return new VenueError("NOTIFY_RULE", "usage", message);
}
