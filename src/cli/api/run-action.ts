import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { createProgressLine } from "../../util/text/progress-line.ts";
import { countOf } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { CliContext } from "../cli-context.ts";
import { isTerminal, readLine } from "../read-line.ts";
import { writePieces } from "../results/print-rows.ts";
import type { Action, ActionTools } from "./actions.ts";
import { findProblem, type Inputs } from "./flags.ts";

/** Checks the inputs, asks for confirmation before a command, calls the service and prints the response. */
export async function runAction(
  context: CliContext,
  resource: string,
  action: Action,
  { yes, ...given }: Inputs & { yes?: boolean },
  command: Command,
): Promise<void> {
  const { io, logger, signal, settings } = context;
  const { workingFolder, stdout } = io;
  const inputs = given.file === undefined ? given : { ...given, file: resolve(workingFolder, given.file) };
  const problem = findProblem(action.flags, inputs);
  if (problem !== undefined) command.error(`error: ${problem}`);
  const sentence = formatAnnouncement(action, inputs);
  const needsConfirmation = sentence !== "" && !yes;
  if (needsConfirmation && !isTerminal(io)) throw unconfirmedError(sentence);
  const { connect, connectStatus } = await import("../../workspace/connect.ts");
  const client = resource === "status" ? connectStatus(settings, logger) : connect(settings, logger);
  const progress = createProgressLine({
    write: (text) => io.stderr.write(text),
    log: (text) => logger.info(text),
    isTerminal: io.stderr.isTTY === true && settings.get("VENUE_LOG") === "text",
    columns: () => io.stderr.columns,
  });
  try {
    if (needsConfirmation && !(await confirm(context, sentence))) {
      io.stderr.write("Nothing was done.\n");
      return;
    }
    const tools = { client, status: client, signal, logger, progress, clock: context.clock(), workingFolder };
    const response = await action.call(tools as unknown as ActionTools, inputs);
    progress.clear();
    const isTty = stdout.isTTY === true;
    const width = isTty && stdout.columns !== undefined ? { width: stdout.columns } : {};
    const options = { inputs, sentence, useColour: isTty && !io.environment.NO_COLOR, ...width };
    const { output } = action;
    const pieces = context.options.json ? output.json(response, options) : output.text(response, options);
    await writePieces(stdout, pieces, signal);
  } catch (error) {
    if (signal.aborted && sentence !== "" && client.requestsSent > 0) {
      logger.warn(`${sentence}: interrupted after the request was sent. Check whether it was carried out.`);
    }
    throw error;
  } finally {
    progress.clear();
    await client.close();
  }
}

/** Fills in a sentence such as `Reboot the device of zone {zoneId}`. Returns an empty text if there is none. */
function formatAnnouncement({ effect = "" }: Action, inputs: Inputs): string {
  const { groupId, zoneId, startDate, endDate, rrule, name, file, durationMinutes } = inputs;
  const texts: Record<string, () => string> = {
    owner: () => (groupId === undefined ? `zone ${zoneId}` : `group ${groupId}`),
    period: () => `${startDate ? ` from ${startDate}` : ""}${endDate ? ` to ${endDate}` : ""}`,
    rrule: () => (rrule ? `, recurring by ${rrule}` : ""),
    name: () => JSON.stringify(name),
    file: () => `${file} (${formatSize(statSync(file).size)})`,
    duration: () => countOf(durationMinutes, "minute"),
  };
  return effect.replace(
    /\{(\w+)\}/g,
    (_, key: string) => texts[key]?.() ?? String(inputs[key as keyof Inputs]),
  );
}

function formatSize(bytes: number): string {
  if (bytes < 1e3) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Asks for confirmation. Any answer except y or yes means no. */
async function confirm({ io, signal }: CliContext, sentence: string): Promise<boolean> {
  io.stderr.write(`${sentence}? [y/N] `);
  const answer = await readLine(io.stdin, signal);
  if (answer === undefined) io.stderr.write("\n");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

function unconfirmedError(sentence: string): VenueError {
  return new VenueError(
    "UNCONFIRMED",
    "usage",
    `${sentence}: this changes the service, and it can't be confirmed without a terminal. Add --yes to proceed.`,
  );
}
