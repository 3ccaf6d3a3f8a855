import type { DeliveryResult } from "../pipeline/notify/delivery/deliver.ts";
import type { NotifyResult } from "../pipeline/notify/notify.ts";
import { getErrorMessage } from "../util/venue-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CliContext } from "./cli-context.ts";
import { explainFailure } from "./describe-failure.ts";
import { withNotified } from "./results/describe-notified.ts";
import { type RunOutcome, runRecorded } from "./run-recorded.ts";

type Send = (workspace: Workspace) => Promise<DeliveryResult & Partial<NotifyResult>>;

/** Runs a recipe as `runRecorded` does. Then sends messages, unless the run was interrupted. */
export async function runNotifying(
  context: CliContext,
  command: string,
  recipe: (workspace: Workspace) => Promise<RunOutcome>,
  send: Send,
): Promise<void> {
  await runRecorded(context, command, async (workspace) => {
    const outcome = await recipe(workspace).catch(async (error: unknown) => {
      if (!context.signal.aborted) await sendAfter(error, workspace, send);
      throw error;
    });
    return withNotified(outcome, await send(workspace));
  });
}

/** Sends messages unless another run has taken the lock. The run's outcome remains the original failure. */
async function sendAfter(failure: unknown, workspace: Workspace, send: Send): Promise<void> {
  const { state, logger } = workspace;
  try {
    state.runs.assertLock();
    const { mistakes = [] } = await send(workspace);
    for (const mistake of mistakes) logger.warn(mistake);
  } catch (error) {
    const why = getErrorMessage(explainFailure(error));
    if (why !== getErrorMessage(explainFailure(failure))) logger.warn(`Messages can't be sent: ${why}`);
  }
}
