import { Command, CommanderError } from "commander";
import { softwareVersion } from "../util/files/package-files.ts";
import { CliContext, type CliIo } from "./cli-context.ts";
import { commandGroups } from "./command-list.ts";
import { exitCodes } from "./exit-code.ts";
import { listenForInterruption } from "./interruption.ts";
import { errorObject, reportFailure } from "./report-failure.ts";
import { settingOptions, settingsHelp } from "./setting-options.ts";

/**
 * The whole program: arguments and streams in, exit code out.
 * @param argv without the interpreter's and the program's own names
 */
export async function runProgram(argv: readonly string[], io: CliIo): Promise<number> {
  // A reader that has seen enough (`| head`) is no failure, and takes none away. A result that got lost is one.
  io.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(context.exitCode);
    io.stderr.write(`venue: The result can't be written to stdout: ${error.message}. Send it elsewhere.\n`);
    process.exit(exitCodes.usage);
  });
  // Nobody reads the notes any more: what was begun is ended all the same.
  io.stderr.on("error", () => {});
  const interruptions = listenForInterruption([io.stdin, io.stdout, io.stderr].some(({ isTTY }) => isTTY));
  const { signal, stop } = interruptions;
  const complaints: string[] = [];
  const program = createProgram(io, (text) => complaints.push(text));
  const context = new CliContext(io, program, interruptions);
  // As after a kill, saved work stays and the next run continues.
  io.onUncaught?.((error) => process.exit(reportFailure(error, context)));
  await addCommands(program, argv, context);
  try {
    // A statement that begins with a comment is no flag.
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

/** Adds all commands by name; their files are loaded only for those that are named. */
async function addCommands(program: Command, argv: readonly string[], context: CliContext): Promise<void> {
  const words = new Set(argv);
  for (const { heading, commands } of commandGroups) {
    for (const { name, summary, load, isHidden = false } of commands) {
      const command = program.command(name, { hidden: isHidden }).description(summary).helpGroup(heading);
      if (!words.has(name)) continue;
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
  const { explainUsage, unknownCommand } = await import("./usage-error.ts");
  const message = isError
    ? explainUsage(complaint, ...commandOf(program, argv, unknownCommand(complaint)))
    : complaint.trim();
  // The parser ends at what is wrong, and may not have come to --log.
  const isJson = isLogJson || / --log[ =]json( |$)/.test(` ${argv.join(" ")}`);
  const text = isError ? `venue: ${message}\n` : complaint;
  io.stderr.write(isJson ? errorObject(message, exitCode) : text);
  return exitCode;
}

/**
 * And how it is called, e.g. `venue lake status`.
 * @param unknown a word that is no command: what follows it belongs to none
 */
function commandOf(
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
