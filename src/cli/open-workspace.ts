import { DataFolder } from "../config/data-folder.ts";
import { ConfigError, type Settings } from "../config/settings.ts";
import { createProgressLine } from "../util/text/progress-line.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CliContext } from "./cli-context.ts";

/** The data folder with its state, opened for a recipe. Whoever opens it closes `state`. */
export async function openWorkspace(context: CliContext, settings: Settings): Promise<Workspace> {
  const clock = context.clock(settings);
  refuseClock(clock.now(), settings.find("VENUE_NOW") !== undefined);
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

/** What is recorded under a date outside the calendar that figures are counted by can't be published, then or later. */
const calendarYears = { first: 2000, last: 2099 };

/** @throws {ConfigError} when a clock is surely wrong */
function refuseClock(now: Date, isFixed: boolean): void {
  const year = now.getUTCFullYear();
  if (year >= calendarYears.first && year <= calendarYears.last) return;
  const clock = isFixed ? "VENUE_NOW says" : "This machine's clock says";
  const { first, last } = calendarYears;
  throw new ConfigError(
    "VENUE_NOW",
    `${clock} ${now.toISOString()}. Set it: it should be from ${first} to ${last}. Nothing was done.`,
  );
}
