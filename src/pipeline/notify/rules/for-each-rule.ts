import { ownLimitsOf } from "../../../config/data-folder.ts";
import { NothingPublishedError } from "../../../mart/errors.ts";
import { limitOwn } from "../../../mart/own/own-file.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { withVersionOf } from "../../../report/published/with-version-of.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import type { Rule } from "./read-rules.ts";

/** The part of a workspace that can't change anything. */
export type ReadOnlyWorkspace = Pick<Workspace, "settings" | "folder" | "clock" | "logger" | "signal">;

/** Calls `body` for each rule with the published version. A user's own report gets its own database and limits. */
export async function forEachRule(
  workspace: ReadOnlyWorkspace,
  rules: readonly Rule[],
  body: (rule: Rule, mart: PublishedMart) => Promise<void>,
): Promise<void> {
  if (rules.length === 0) return;
  const { settings, logger, signal } = workspace;
  try {
    await withVersionOf(settings, { logger, signal }, async (mart) => {
      for (const rule of rules) {
        const own = rule.request?.own;
        if (own === undefined) {
          await body(rule, mart);
          continue;
        }
        const bounds = limitOwn(own, ownLimitsOf(settings));
        try {
          const options = { logger, signal: AbortSignal.any([signal, bounds.signal]), asOf: mart.version };
          await withVersionOf(settings, options, (ofOwn) => body(rule, ofOwn));
        } finally {
          bounds.stop();
        }
      }
    });
  } catch (error) {
    if (!(error instanceof NothingPublishedError)) throw error;
    // Before the first publish, there is nothing to evaluate.
  }
}
