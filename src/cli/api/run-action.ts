import type { Command } from "commander";
import { createProgressLine } from "../../util/text/progress-line.ts";
import { VenueError } from "../../util/venue-error.ts";
import type { CliContext } from "../cli-context.ts";
import { isTerminal, readLine } from "../read-line.ts";
import { writePieces } from "../results/write-pieces.ts";
import type { Action, Resource } from "./action.ts";

/** Runs one action: checks its inputs, asks where it changes something, calls the service, prints the answer. */
export async function runAction(
  context: CliContext,
  { api }: Resource<never>,
  action: Action<unknown>,
  { yes, ...inputs }: Record<string, unknown>,
  command: Command,
): Promise<void> {
  const { io, logger, signal, settings } = context;
  const problem = action.check?.(inputs, io.workingFolder);
  if (problem !== undefined) command.error(`error: ${problem}`);
  const sentence = action.announce?.(inputs, io.workingFolder) ?? "";
  const isAsked = sentence !== "" && !yes;
  if (isAsked && !isTerminal(io)) throw new UnconfirmedError(sentence);
  const { connect, connectStatus } = await import("../../workspace/connect.ts");
  const client = api === "main" ? connect(settings, logger) : connectStatus(settings, logger);
  const progress = createProgressLine({
    write: (text) => io.stderr.write(text),
    log: (text) => logger.info(text),
    isTerminal: io.stderr.isTTY === true && settings.get("VENUE_LOG") === "text",
    columns: () => io.stderr.columns,
  });
  try {
    if (isAsked && !(await confirm(context, sentence))) {
      io.stderr.write("Nothing was done.\n");
      return;
    }
    const { workingFolder, stdout } = io;
    const tools = { client, signal, logger, progress, clock: context.clock(), workingFolder };
    const answer = await action.call(tools, inputs);
    progress.clear();
    const isTty = stdout.isTTY === true;
    const options = {
      inputs,
      sentence,
      useColour: isTty && !io.environment.NO_COLOR,
      ...(isTty && stdout.columns !== undefined ? { width: stdout.columns } : {}),
    };
    const { view } = action;
    const pieces = context.options.json ? view.json(answer, options) : view.text(answer, options);
    await writePieces(stdout, pieces, signal);
  } catch (error) {
    if (signal.aborted && sentence !== "" && client.requestsSent > 0) {
      logger.warn(`${sentence}: stopped while this was under way. It may have been carried out: look first.`);
    }
    throw error;
  } finally {
    progress.clear();
    await client.close();
  }
}

/** Anything but a yes is a no. */
async function confirm({ io, signal }: CliContext, sentence: string): Promise<boolean> {
  io.stderr.write(`${sentence}? [y/N] `);
  const answer = await readLine(io.stdin, signal);
  if (answer === undefined) io.stderr.write("\n");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

/** Something is to be changed, and nobody has said yes. */
class UnconfirmedError extends VenueError {
  override readonly name = "UnconfirmedError";
  readonly code = "UNCONFIRMED";
  readonly category = "usage";

  constructor(sentence: string) {
    super(`${sentence}: this changes the service, and there is no terminal to ask on. Give --yes to do it.`);
  }
}
