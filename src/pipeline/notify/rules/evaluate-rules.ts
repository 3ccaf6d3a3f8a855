import { customLimitsOf } from "../../../config/data-folder.ts";
import { limitCustom } from "../../../mart/custom/custom-file.ts";
import { NothingPublishedError } from "../../../mart/errors.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { withVersionOf } from "../../../report/published/with-version-of.ts";
import { VenueError } from "../../../util/venue-error.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import { evaluateOverview } from "./evaluate-overview.ts";
import { type Evaluation, evaluateRule } from "./evaluate-rule.ts";
import { describeMistake, type Rule, type RuleFile } from "./read-rules.ts";

/** The part of a workspace that can't change anything. */
export type ReadOnlyWorkspace = Pick<Workspace, "settings" | "folder" | "clock" | "logger" | "signal">;

/** Result of a rule. If nothing is published, it has neither an evaluation nor a mistake. */
export interface RuleResult {
  rule: Rule;
  evaluation?: Evaluation;
  mistake?: string;
}

export async function evaluateRules(
  workspace: ReadOnlyWorkspace,
  { path, rules }: Pick<RuleFile, "path" | "rules">,
  now: Date,
): Promise<RuleResult[]> {
  const results = new Map<Rule, RuleResult>(rules.map((rule) => [rule, { rule }]));
  const options = { settings: workspace.settings, now };
  await forEachRule(workspace, rules, async (rule, mart) => {
    const { request, condition } = rule;
    try {
      const evaluation = request
        ? await evaluateRule(mart, { request, condition }, options)
        : await evaluateOverview(mart, condition, options);
      results.set(rule, { rule, evaluation });
    } catch (error) {
      workspace.signal.throwIfAborted();
      if (!(error instanceof VenueError)) throw error;
      results.set(rule, { rule, mistake: describeMistake(path, rule.lineNumber, error) });
    }
  });
  return [...results.values()];
}

/** Calls `body` for each rule with the published version. A custom report gets a separate database and limits. */
export async function forEachRule(
  { settings, logger, signal }: ReadOnlyWorkspace,
  rules: readonly Rule[],
  body: (rule: Rule, mart: PublishedMart) => Promise<void>,
): Promise<void> {
  if (rules.length === 0) return;
  try {
    await withVersionOf(settings, { logger, signal }, async (mart) => {
      for (const rule of rules) {
        const custom = rule.request?.custom;
        if (custom === undefined) {
          await body(rule, mart);
          continue;
        }
        const bounds = limitCustom(custom, customLimitsOf(settings));
        try {
          const options = { logger, signal: AbortSignal.any([signal, bounds.signal]), asOf: mart.version };
          await withVersionOf(settings, options, (ofCustom) => body(rule, ofCustom));
        } finally {
          bounds.stop();
        }
      }
    });
  } catch (error) {
    if (!(error instanceof NothingPublishedError)) throw error;
  }
}
