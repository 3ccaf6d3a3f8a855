import { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { createProgressLine } from "../util/progress-line.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CliContext } from "./cli-context.ts";

/** The data folder with its state, opened for a recipe. Whoever opens it closes `state`. */
export async function openWorkspace(context: CliContext, settings: Settings): Promise<Workspace> {
  const { openDataState } = await import("../state/data-state.ts");
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
    clock: context.clock(settings),
    logger,
    progress,
    signal,
  };
}
