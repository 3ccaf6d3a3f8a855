import { DataFolder } from "../config/data-folder.ts";
import { ConfigError, type Settings } from "../config/settings.ts";
import { copyExampleReference } from "../load/reference/apply-reference.ts";
import type { RunEnd, UnfinishedWork } from "../state/data/runs.ts";
import { createProgressLine } from "../util/text/progress-line.ts";
import { getErrorMessage } from "../util/venue-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CliContext } from "./cli-context.ts";
import { explainFailure } from "./describe-failure.ts";
import { exitCodes, getExitCode } from "./exit-code.ts";
import { Interruption } from "./interruption.ts";

/** Outcome of a recipe, as reported to the shell, in `venue runs` and to the user. */
export interface RunOutcome {
  exitCode: number;
  /** One line for `venue runs`. */
  note: string;
  /** Printed with `--json`. */
  summary: object;
  /** Printed without `--json`. */
  text: string;
  /** Failures, one line each, for stderr. */
  problems?: readonly string[];
  /** Missing data that reports mention; only set by recipes that collect. */
  unfinished?: readonly UnfinishedWork[];
  /** Number of requests sent to the status API; only set by recipes that collect. */
  statusRequests?: number;
}

/**
 * Runs a recipe that changes the data folder, while holding the run lock. Records it and prints its outcome.
 */
export async function runRecorded(
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
        copyExampleReference(workspace.folder);
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
 * Runs `work` as a recorded run that holds the lock. Its outcome is reported, and its failure thrown, even if
 * the end of the run cannot be recorded.
 * @throws {RunLockedError} when another run is using the data folder
 */
export async function withRun<Outcome extends Omit<RunEnd, "status">>(
  context: CliContext,
  workspace: Workspace,
  command: string,
  work: () => Promise<Outcome>,
  printOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const { runs } = workspace.state;
  const onWait = (message: string) => context.logger.info(message);
  const end = runs.begin(command, await runs.watchForeignRun({ signal: context.signal, onWait }));
  try {
    const outcome = await work();
    try {
      end({ ...outcome, status: outcome.exitCode === exitCodes.done ? "succeeded" : "failed" });
    } finally {
      printOutcome(outcome);
    }
  } catch (error) {
    const failure = explainFailure(context.signal.aborted ? context.signal.reason : error);
    const isInterrupted = failure instanceof Interruption;
    const note = getErrorMessage(failure);
    try {
      end({ status: isInterrupted ? "interrupted" : "failed", exitCode: getExitCode(failure), note });
    } catch (endError) {
      const why = getErrorMessage(explainFailure(endError));
      if (why !== note) context.logger.warn(`The run's outcome can't be recorded: ${why}`);
    }
    throw failure;
  }
}

/** Opens the data folder and its state for a recipe. The caller must close `state`. */
export async function openWorkspace(context: CliContext, settings: Settings): Promise<Workspace> {
  const clock = context.clock(settings);
  assertPlausibleClock(clock.now(), settings.find("VENUE_NOW") !== undefined);
  const { openDataState } = await import("../state/data/data-state.ts");
  const folder = new DataFolder(settings.get("VENUE_DATA_DIR")).prepare();
  const { logger, signal, io } = context;
  const progress = createProgressLine({
    write: (text) => io.stderr.write(text),
    log: (text) => logger.info(text),
    isTerminal: io.stderr.isTTY === true && settings.get("VENUE_LOG") === "text",
    columns: () => io.stderr.columns,
  });
  return {
    settings,
    folder,
    state: openDataState(folder.stateFile),
    clock,
    logger,
    progress,
    signal,
  };
}

/** Years in the mart's calendar. Data from other years could never be published. */
const calendarYears = { first: 2000, last: 2099 };

/** @throws {ConfigError} when a clock is clearly wrong */
function assertPlausibleClock(now: Date, isFixed: boolean): void {
  const year = now.getUTCFullYear();
  if (year >= calendarYears.first && year <= calendarYears.last) return;
  const clock = isFixed ? "VENUE_NOW is" : "This machine's clock is";
  const { first, last } = calendarYears;
  throw new ConfigError(
    "VENUE_NOW",
    `${clock} ${now.toISOString()}. Set it to a year from ${first} to ${last}. Nothing was done.`,
  );
}
