import { resolve } from "node:path";
import type { Writable } from "node:stream";
import type { Command } from "commander";
import { Settings } from "../config/settings.ts";
import { isS3Url } from "../storage/s3-url.ts";
import { createClock } from "../util/clock.ts";
import { createLogFile } from "../util/log-file.ts";
import { createLogger, type Logger } from "../util/logger.ts";
import { sanitizeLines } from "../util/text/escaping.ts";
import { getErrorMessage, VenueError } from "../util/venue-error.ts";
import { exitCodes } from "./exit-code.ts";
import type { Interruptions } from "./interruption.ts";
import { readGivenFlags } from "./setting-options.ts";

export interface CliIo {
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  environment: NodeJS.ProcessEnv;
  /** @throws {VenueError} `WORKING_FOLDER_GONE` */
  readonly workingFolder: string;
  /** Registers the handler that ends the process after an uncaught error in a timer or listener. */
  onUncaught?(end: (error: unknown) => void): void;
}

/** @throws {VenueError} `WORKING_FOLDER_GONE` */
export function findWorkingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw workingFolderGoneError({ cause });
  }
}

function workingFolderGoneError(options: ErrorOptions): VenueError {
  return new VenueError(
    "WORKING_FOLDER_GONE",
    "usage",
    "The working folder no longer exists. Change to one that does, and run this again.",
    options,
  );
}

interface GlobalOptions extends Record<string, unknown> {
  debug?: boolean;
  json?: boolean;
}

/** State that commands share: streams, settings and the exit code. Settings are read on first use. */
export class CliContext {
  readonly io: CliIo;
  readonly interruptions: Interruptions;
  readonly signal: AbortSignal;
  /** Exit code of a program that ends without an error. */
  exitCode: number = exitCodes.done;
  readonly #program: Command;
  #settings: Settings | undefined;
  #logger: Logger | undefined;
  #appendToFile: ((lines: string) => void) | undefined;

  constructor(io: CliIo, program: Command, interruptions: Interruptions) {
    this.io = io;
    this.interruptions = interruptions;
    this.signal = interruptions.signal;
    this.#program = program;
  }

  get options(): GlobalOptions {
    return this.#program.opts<GlobalOptions>();
  }

  /** @throws {ConfigError} on the first malformed setting */
  get settings(): Settings {
    this.#settings ??= this.readSettings();
    return this.#settings;
  }

  /**
   * Reads the settings. Also copies other programs' variables from `.env` to the environment, because the S3 client and
   * connections only read them there.
   * @throws {ConfigError} on the first malformed setting, unless lenient
   */
  readSettings({ isLenient = false } = {}): Settings {
    const { environment, workingFolder } = this.io;
    const flags = readGivenFlags(this.options);
    const settings = new Settings({ flags, environment, workingFolder, isLenient });
    Object.assign(environment, settings.listSharedVariables());
    return settings;
  }

  /** Also works if the settings can't be read, because that error is logged in this format, too. */
  get isLogJson(): boolean {
    if (this.options.log !== undefined) return this.options.log === "json";
    try {
      return this.readSettings({ isLenient: true }).find("VENUE_LOG") === "json";
    } catch {
      return this.io.environment.VENUE_LOG === "json";
    }
  }

  get logger(): Logger {
    this.#logger ??= createLogger({
      write: (line) => this.writeLog(line),
      format: this.settings.get("VENUE_LOG"),
      isDebug: this.options.debug === true,
    });
    return this.#logger;
  }

  /** Writes lines to stderr and to `VENUE_LOG_FILE`. */
  writeLog(lines: string): void {
    this.io.stderr.write(lines);
    try {
      this.#appendToFile ??= this.#openLogFile();
      this.#appendToFile(lines);
    } catch (error) {
      // Work in progress continues without the log file.
      this.#appendToFile = () => {};
      this.io.stderr.write(`warning: VENUE_LOG_FILE can't be written: ${getErrorMessage(error)}\n`);
    }
  }

  #openLogFile(): (lines: string) => void {
    const file = this.#findLogFile();
    return file === undefined ? () => {} : createLogFile(file);
  }

  /** Returns `undefined` if the settings can't be read, because the error being logged already reports that. */
  #findLogFile(): string | undefined {
    try {
      return this.readSettings({ isLenient: true }).find("VENUE_LOG_FILE");
    } catch {
      return undefined;
    }
  }

  /** Returns the absolute path of a folder. Returns a URL unchanged, after reading the store's settings from `.env`. */
  resolveTarget(target: string): string {
    if (!isS3Url(target)) return resolve(this.io.workingFolder, target);
    this.readSettings();
    return target;
  }

  /** Returns the landing store from the flag or, without one, from the settings. */
  findLandingStore(given: string | undefined): string | undefined {
    const store = given ?? this.settings.find("VENUE_LANDINGS");
    return store === undefined ? undefined : this.resolveTarget(store);
  }

  clock(settings = this.settings) {
    return createClock(settings.find("VENUE_NOW"));
  }

  print(text: string): void {
    this.io.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Prints a command's result: one JSON object with `--json`, else text without control characters. */
  printResult(summary: object, text: string): void {
    this.print(this.options.json ? JSON.stringify(summary, undefined, 2) : sanitizeLines(text));
  }
}
