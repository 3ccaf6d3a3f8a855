import { ownLimitsOf } from "../../../config/data-folder.ts";
import { NothingPublishedError } from "../../../mart/errors.ts";
import { limitOwn } from "../../../mart/own/own-file.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { cacheRows } from "../../../report/published/row-cache.ts";
import { withPublished } from "../../../report/published/with-published.ts";
import { withShown } from "../../../report/published/with-shown.ts";
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
  try {
    await withVersion(workspace, workspace.signal, undefined, async (published) => {
      const mart = cacheRows(published);
      for (const rule of rules) {
        const own = rule.request?.own;
        if (own === undefined) {
          await body(rule, mart);
          continue;
        }
        const bounds = limitOwn(own, ownLimitsOf(workspace.settings));
        try {
          const limited = AbortSignal.any([workspace.signal, bounds.signal]);
          await withVersion(workspace, limited, mart.version, (ofOwn) => body(rule, cacheRows(ofOwn)));
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

async function withVersion(
  { settings, logger }: ReadOnlyWorkspace,
  signal: AbortSignal,
  asOf: string | undefined,
  body: (mart: PublishedMart) => Promise<void>,
): Promise<void> {
  if (settings.get("VENUE_ENGINE") === "trino") await withShown(settings, { signal, logger, asOf }, body);
  else await withPublished(settings, signal, body, { asOf });
}
