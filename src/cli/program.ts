import { Command, CommanderError } from "commander";
import { ConfigError } from "../config/config-error.ts";
import { softwareVersion } from "../util/package-root.ts";
import { CliContext, type CliIo } from "./cli-context.ts";
import { buildCommand } from "./commands/build.ts";
import { checkCommand } from "./commands/check.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { emulateCommand } from "./commands/emulate.ts";
import { loadCommand } from "./commands/load.ts";
import { publishCommand } from "./commands/publish.ts";
import { queryCommand } from "./commands/query.ts";
import { rejectsCommand } from "./commands/rejects.ts";
import { reportCommand } from "./commands/report.ts";
import { runCommand } from "./commands/run.ts";
import { runsCommand } from "./commands/runs.ts";
import { syncCommand } from "./commands/sync.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { explainFailure } from "./explain-failure.ts";
import { Interruption, listenForInterruption } from "./interruption.ts";
import { settingOptions, settingsHelp } from "./setting-options.ts";

/** In the order in which they are listed by `--help`. */
const commands = [
  demoCommand,
  emulateCommand,
  doctorCommand,
  syncCommand,
  loadCommand,
  buildCommand,
  checkCommand,
  publishCommand,
  reportCommand,
  queryCommand,
  runCommand,
  runsCommand,
  rejectsCommand,
];

/**
 * The whole program: arguments and streams in, exit code out.
 * @param argv without the interpreter's and the program's own names
 */
export async function runProgram(argv: readonly string[], io: CliIo): Promise<number> {
  // A reader that has seen enough (`| head`) is no failure.
  io.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(exitCodes.done);
  });
  const { signal, stop } = listenForInterruption();
  const program = createProgram(io);
  const context = new CliContext(io, program, signal);
  for (const create of commands) program.addCommand(inherit(create(context), program));
  try {
    await program.parseAsync([...argv], { from: "user" });
    return context.exitCode;
  } catch (error) {
    return reportFailure(signal.aborted ? signal.reason : error, context);
  } finally {
    stop();
  }
}

function createProgram(io: CliIo): Command {
  const program = new Command("venue")
    .description(
      "What played, did each campaign run, which devices were up: figures from the history of venue media players.",
    )
    .version(softwareVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .option("--debug", "show stack traces and more of what happens")
    .option("--json", "print one summary object instead of text (where a command has a summary)")
    .addHelpText("after", settingsHelp())
    .addHelpText(
      "after",
      "\nExample:\n  $ venue demo\n  $ venue report plays --by zone,kind --format csv --out plays.csv\n",
    )
    .showSuggestionAfterError(true)
    .showHelpAfterError("(add --help for what is accepted)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    });
  for (const option of settingOptions()) program.addOption(option);
  return program;
}

/** Commands write where the program writes, and throw instead of ending the process. */
function inherit(command: Command, program: Command): Command {
  return command.copyInheritedSettings(program);
}

/** One message; where it came from only with `--debug`. The option parser has printed its own already. */
function reportFailure(error: unknown, { io, options, isLogJson }: CliContext): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
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
      ? ["Run `venue doctor` to see all settings and where they come from."]
      : []),
  ];
  const text = lines.join("\n");
  io.stderr.write(
    isLogJson
      ? `${JSON.stringify({ time: new Date().toISOString(), level: "error", message: text, exit_code: exitCode })}\n`
      : `${known instanceof Interruption ? "" : "venue: "}${text}\n`,
  );
  return exitCode;
}
