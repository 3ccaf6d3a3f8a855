import { ConfigError } from "../config/settings.ts";
import { harmlessLines } from "../util/text/escaping.ts";
import type { CliContext } from "./cli-context.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { explainFailure } from "./explain-failure.ts";
import { Interruption } from "./interruption.ts";

/**
 * Tells what made a command fail: one message; where it came from only with `--debug`.
 * @returns the exit code
 */
export function reportFailure(error: unknown, { io, options, isLogJson }: CliContext): number {
  const known = explainFailure(error);
  const exitCode = exitCodeOf(known);
  const isBug = exitCode === exitCodes.bug;
  const message =
    known instanceof Error ? (isBug ? `${known.name}: ${known.message}` : known.message) : String(known);
  const lines = [
    isBug ? `this is a bug of venue-analytics: ${message}` : message,
    ...(options.debug && known instanceof Error && known.stack ? [known.stack] : []),
    ...(isBug && !options.debug ? ["Run it again with --debug to see where."] : []),
    ...(known instanceof ConfigError
      ? ["Run `venue doctor --settings` to see all settings and where they come from."]
      : []),
  ];
  const text = lines.join("\n");
  io.stderr.write(
    isLogJson
      ? errorObject(text, exitCode)
      : `${known instanceof Interruption ? "" : "venue: "}${harmlessLines(text)}\n`,
  );
  return exitCode;
}

/** As a log line of `VENUE_LOG=json`. */
export function errorObject(message: string, exitCode: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ time, level: "error", message, exit_code: exitCode })}\n`;
}
