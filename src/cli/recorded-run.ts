import type { Settings } from "../config/settings.ts";
import { provideReference } from "../load/reference/provide-reference.ts";
import type { RunEnd, UnfinishedWork } from "../state/data/runs.ts";
import { messageOf } from "../util/venue-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CliContext } from "./cli-context.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { explainFailure } from "./explain-failure.ts";
import { Interruption } from "./interruption.ts";
import { openWorkspace } from "./open-workspace.ts";

/** How a recipe ended, for the shell, for `venue runs` and for the reader. */
export interface RunOutcome {
  exitCode: number;
  /** One line for `venue runs`. */
  note: string;
  /** With `--json`. */
  summary: object;
  /** Without. */
  text: string;
  /** What could not be done, one line each: to stderr. */
  problems?: readonly string[];
  /** Of a recipe that collects: what reports say is missing. */
  unfinished?: readonly UnfinishedWork[];
  /** Of a recipe that collects: sent to the status API. */
  statusRequests?: number;
}

/**
 * Runs a recipe that changes the data folder: alone (it takes the lock or ends at once), recorded, and with its
 * outcome printed.
 */
export async function recordedRun(
  context: CliContext,
  command: string,
  recipe: (workspace: Workspace) => Promise<RunOutcome>,
  settings: Settings = context.settings,
): Promise<void> {
  const workspace = await openWorkspace(context, settings);
  try {
    await withRun(
      context,
      workspace,
      command,
      async () => {
        provideReference(workspace.folder);
        return await recipe(workspace);
      },
      ({ exitCode, summary, text, problems = [] }) => {
        workspace.progress.clear();
        for (const problem of problems) context.logger.warn(problem);
        context.printResult(summary, text);
        context.exitCode = exitCode;
      },
    );
  } finally {
    workspace.progress.clear();
    workspace.state.close();
  }
}

/**
 * Does `work` as a run that is recorded and holds the lock. What it did is told, and why it failed is thrown, also
 * where its end can't be recorded.
 * @throws {RunLockedError} when another run works on the data folder
 */
export async function withRun<Outcome extends Omit<RunEnd, "status">>(
  context: CliContext,
  workspace: Workspace,
  command: string,
  work: () => Promise<Outcome>,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  const { runs } = workspace.state;
  const onWait = (message: string) => context.logger.info(message);
  const end = runs.begin(command, await runs.watchForeignRun({ signal: context.signal, onWait }));
  try {
    const outcome = await work();
    try {
      end({ ...outcome, status: outcome.exitCode === exitCodes.done ? "succeeded" : "failed" });
    } finally {
      tell(outcome);
    }
  } catch (error) {
    const failure = explainFailure(context.signal.aborted ? context.signal.reason : error);
    const isInterrupted = failure instanceof Interruption;
    const note = messageOf(failure);
    try {
      end({ status: isInterrupted ? "interrupted" : "failed", exitCode: exitCodeOf(failure), note });
    } catch (endError) {
      const why = messageOf(explainFailure(endError));
      if (why !== note) context.logger.warn(`How the run ended can't be recorded: ${why}`);
    }
    throw failure;
  }
}
