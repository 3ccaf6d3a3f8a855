import { Command, CommanderError } from "commander";
import { ConfigError } from "../config/config-error.ts";
import { softwareVersion } from "../util/files/package-root.ts";
import { CliContext, type CliIo } from "./cli-context.ts";
import { commandGroups } from "./command-list.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { explainFailure } from "./explain-failure.ts";
import { Interruption, listenForInterruption } from "./interruption.ts";
import { settingOptions, settingsHelp } from "./setting-options.ts";

/**
 * The whole program: arguments and streams in, exit code out.
 * @param argv without the interpreter's and the program's own names
 */
export async function runProgram(argv: readonly string[], io: CliIo): Promise<number> {
  // A reader that has seen enough (`| head`) is no failure. A result that got lost is one.
  io.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(exitCodes.done);
    io.stderr.write(`venue: The result can't be written to stdout: ${error.message}. Send it elsewhere.\n`);
    process.exit(exitCodes.usage);
  });
  // Nobody reads the notes any more: what was begun is ended all the same.
  io.stderr.on("error", () => {});
  const interruptions = listenForInterruption();
  const { signal, stop } = interruptions;
  const complaints: string[] = [];
  const program = createProgram(io, (text) => complaints.push(text));
  const context = new CliContext(io, program, interruptions);
  await addCommands(program, argv, context);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError)
      return await reportUsage(error, complaints.join(""), argv, program, context);
    return reportFailure(signal.aborted ? signal.reason : error, context);
  } finally {
    stop();
  }
}

/** @param complain is given what is wrong with the arguments, piece by piece */
function createProgram(io: CliIo, complain: (text: string) => void): Command {
  const program = new Command("venue")
    .description(
      "What played, did each campaign run, which devices were up: figures from the history of venue media players.",
    )
    .version(softwareVersion(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .option("--debug", "show stack traces and more of what happens")
    .option("--json", "print one summary object instead of text (where a command has a summary)")
    .addHelpText("after", settingsHelp())
    .addHelpText(
      "after",
      "\nExample:\n  $ venue demo\n  $ venue report plays --by zone,kind --out plays.csv\n",
    )
    // A command's flags are not known before it is named.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: complain,
    });
  for (const option of settingOptions()) program.addOption(option);
  return program;
}

/** Adds all commands by name; their files are loaded only for those that are named, and for completion, which lists all. */
async function addCommands(program: Command, argv: readonly string[], context: CliContext): Promise<void> {
  const words = new Set(argv);
  for (const { heading, commands } of commandGroups) {
    for (const { name, summary, load } of commands) {
      const command = program.command(name).description(summary).helpGroup(heading);
      if (!words.has(name) && !words.has("completion")) continue;
      const { define } = await load();
      define(command, context);
    }
  }
}

/** What the option parser says: that the arguments are wrong, or nothing, where help or the version was asked for. */
async function reportUsage(
  error: CommanderError,
  complaint: string,
  argv: readonly string[],
  program: Command,
  { io, isLogJson }: CliContext,
): Promise<number> {
  const exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (complaint === "") return exitCode;
  // Else help, where a command lacks the word that says what to do.
  const isError = complaint.startsWith("error: ");
  const { explainUsage } = await import("./usage-error.ts");
  const message = isError ? explainUsage(complaint, ...commandOf(program, argv)) : complaint.trim();
  // The parser ends at what is wrong, and may not have come to --log.
  const isJson = isLogJson || / --log[ =]json( |$)/.test(` ${argv.join(" ")}`);
  const text = isError ? `venue: ${message}\n` : complaint;
  io.stderr.write(isJson ? errorObject(message, exitCode) : text);
  return exitCode;
}

/** And how it is called, e.g. `venue lake status`. */
function commandOf(program: Command, argv: readonly string[]): [command: Command, name: string] {
  const names = [program.name()];
  let command = program;
  for (const word of argv) {
    const inner = command.commands.find((one) => one.name() === word);
    if (inner === undefined) continue;
    names.push(word);
    command = inner;
  }
  return [command, names.join(" ")];
}

/** One message; where it came from only with `--debug`. */
function reportFailure(error: unknown, { io, options, isLogJson }: CliContext): number {
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
    isLogJson ? errorObject(text, exitCode) : `${known instanceof Interruption ? "" : "venue: "}${text}\n`,
  );
  return exitCode;
}

/** As a log line of `VENUE_LOG=json`. */
function errorObject(message: string, exitCode: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ time, level: "error", message, exit_code: exitCode })}\n`;
}
