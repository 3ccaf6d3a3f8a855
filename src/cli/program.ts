import { Command, CommanderError } from "commander";
import { softwareVersion } from "../util/files/package-files.ts";
import { CliContext, type CliIo } from "./cli-context.ts";
import { commandGroups } from "./command-list.ts";
import { formatJsonError, reportFailure } from "./describe-failure.ts";
import { exitCodes } from "./exit-code.ts";
import { listenForInterruption } from "./interruption.ts";
import { settingOptions, settingsHelp } from "./setting-options.ts";

/** Runs the whole program. @param argv without the names of the interpreter and the program */
export async function runProgram(argv: readonly string[], io: CliIo): Promise<number> {
  // A reader that stops early (`| head`) doesn't affect the exit code. After any other error, the result is
  // incomplete, so the program fails.
  io.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(context.exitCode);
    io.stderr.write(
      `venue: The result can't be written to stdout: ${error.message}. Redirect it elsewhere.\n`,
    );
    process.exit(exitCodes.usage);
  });
  // Work that has begun continues even if stderr is closed.
  io.stderr.on("error", () => {});
  const interruptions = listenForInterruption([io.stdin, io.stdout, io.stderr].some(({ isTTY }) => isTTY));
  const { signal, stop } = interruptions;
  const complaints: string[] = [];
  const program = createProgram(io, (text) => complaints.push(text));
  const context = new CliContext(io, program, interruptions);
  // As after a kill, saved work is kept, and the next run continues from there.
  io.onUncaught?.((error) => process.exit(reportFailure(error, context)));
  await addCommands(program, argv, context);
  try {
    // Keeps the parser from treating a SQL statement that starts with a comment (`--`) as a flag.
    const words = argv.map((word) => word.replace(/^--(?=\s.*\n|[^=\n]*\n)/s, "\n--"));
    await program.parseAsync(words, { from: "user" });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError)
      return await reportUsage(error, complaints.join(""), argv, program, context);
    return reportFailure(signal.aborted ? signal.reason : error, context);
  } finally {
    stop();
  }
}

/** @param complain receives problems with the arguments, in pieces */
function createProgram(io: CliIo, complain: (text: string) => void): Command {
  const program = new Command("venue")
    .description(
      "Analyses the history of venue media players: what played, whether each campaign ran, and which devices were up.",
    )
    .version(softwareVersion(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .option("--debug", "show stack traces and more detailed logs")
    .option("--json", "print one summary object instead of text (where a command has a summary)")
    .addHelpText("after", settingsHelp)
    .addHelpText(
      "after",
      "\nExamples:\n  $ venue demo\n  $ venue report plays --by zone,kind --out plays.csv\n",
    )
    // A command's flags are unknown until it is loaded, so help lists only its name.
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

/** Adds all commands by name, but loads only the files of commands that occur in the arguments. */
async function addCommands(program: Command, argv: readonly string[], context: CliContext): Promise<void> {
  const words = new Set(argv);
  for (const { heading, commands } of commandGroups) {
    for (const { name, summary, load, isHidden = false } of commands) {
      const command = program.command(name, { hidden: isHidden }).description(summary).helpGroup(heading);
      if (!words.has(name)) continue;
      const { define, loadHelp } = await load();
      define(command, context);
      if (["help", "--help", "-h", "complete"].some((word) => words.has(word))) await loadHelp?.(command);
    }
  }
}

/** Reports the option parser's complaint. There is none if help or the version was requested. */
async function reportUsage(
  error: CommanderError,
  complaint: string,
  argv: readonly string[],
  program: Command,
  { io, isLogJson }: CliContext,
): Promise<number> {
  const exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (complaint === "") return exitCode;
  // Without this prefix, the text is the help of a command whose subcommand is missing.
  const isError = complaint.startsWith("error: ");
  const { explainUsage, unknownCommand } = await import("./usage-error.ts");
  const message = isError
    ? explainUsage(complaint, ...findCommand(program, argv, unknownCommand(complaint)))
    : complaint.trim();
  // The parser stops at the first error, perhaps before it reaches --log.
  const isJson = isLogJson || / --log[ =]json( |$)/.test(` ${argv.join(" ")}`);
  const text = isError ? `venue: ${message}\n` : complaint;
  io.stderr.write(isJson ? formatJsonError(message, exitCode) : text);
  return exitCode;
}

/**
 * Finds the innermost command in the arguments, up to an `unknown` word.
 * @returns the command and its full name, e.g. `venue reference template`
 */
function findCommand(
  program: Command,
  argv: readonly string[],
  unknown: string | undefined,
): [command: Command, name: string] {
  const names = [program.name()];
  let command = program;
  for (const word of argv) {
    if (word === unknown) break;
    const inner = command.commands.find((one) => one.name() === word);
    if (inner === undefined) continue;
    names.push(word);
    command = inner;
  }
  return [command, names.join(" ")];
}
