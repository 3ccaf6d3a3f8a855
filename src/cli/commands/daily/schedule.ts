import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Command } from "commander";
import type { Cron } from "croner";
import { DataFolder } from "../../../config/data-folder.ts";
import { cronPattern } from "../../../config/parsers.ts";
import { ConfigError } from "../../../config/settings.ts";
import type { VariableName } from "../../../config/variables.ts";
import type { Job } from "../../../pipeline/schedule.ts";
import { getErrorMessage } from "../../../util/venue-error.ts";
import type { CliContext } from "../../cli-context.ts";
import { readGivenFlags, settingHelp } from "../../setting-options.ts";

/** Jobs in order of precedence, each with the commands that do the same work. */
const jobs: readonly JobDefinition[] = [
  { words: ["run"], setting: "VENUE_SCHEDULE_RUN", sameWork: ["run", "run --accept-loss"] },
  {
    words: ["sync", "devices"],
    setting: "VENUE_SCHEDULE_DEVICES",
    sameWork: ["sync devices", "sync", "run", "run --accept-loss"],
  },
];

interface JobDefinition {
  words: readonly string[];
  setting: VariableName & `VENUE_SCHEDULE_${string}`;
  /** Commands as in `venue runs`. */
  sameWork: readonly string[];
}

export function define(command: Command, context: CliContext): void {
  command
    .addHelpText(
      "after",
      `
Runs until stopped, for machines without cron: in a container, as a service, on
Windows. If no run has ended yet, one starts at once. Missed runs are made up
for by one run. SIGTERM also stops a running command; the next one continues
its work.

Settings:
${[...jobs.map(({ setting }) => setting), "VENUE_SCHEDULE_TIME_ZONE" as const].map((name) => `  ${settingHelp(name)}`).join("\n")}

Example:
  $ venue schedule --schedule-run "30 5 * * *" --schedule-time-zone Europe/Berlin
`,
    )
    .action(async () => {
      const { Cron } = await import("croner");
      const { keepSchedule } = await import("../../../pipeline/schedule.ts");
      const { createClock } = await import("../../../util/clock.ts");
      const { getCredentials } = await import("../../../config/credentials.ts");
      const { settings, logger } = context;
      // Fails now if a required setting is missing. Otherwise, every run would fail hours later.
      settings.get("VENUE_GROUP_IDS");
      // If runs load from a landing store, other machines collect.
      const isLoader = settings.find("VENUE_LANDINGS") !== undefined;
      if (!isLoader) {
        settings.get("VENUE_BASE_URL");
        getCredentials(settings);
      }
      const timeZone = settings.find("VENUE_SCHEDULE_TIME_ZONE") ?? findTimeZone();
      const scheduled = (isLoader ? jobs.slice(0, 1) : jobs).map(
        ({ words, setting, sameWork }): Job => ({
          name: `venue ${words.join(" ")}`,
          pattern: parsePattern(Cron, setting, settings.get(setting), timeZone),
          findLastStart: (upTo) => findLastStart(context, sameWork, upTo),
          start: (signal) => startCommand(context, words, signal),
        }),
      );
      const { signal, release } = context.interruptions.hold();
      try {
        await keepSchedule(scheduled, {
          clock: createClock(),
          signal,
          onPlan: ({ name }, due) =>
            logger.info(
              due <= new Date() ? `${name} is due now` : `${name} is due at ${formatInZone(due, timeZone)}`,
            ),
          onStart: ({ name }) => logger.info(`Starting ${name}`),
          onEnd: ({ name }, exitCode, next) =>
            logger.info(
              `${name} ended with exit code ${exitCode}, and is due again at ${formatInZone(next, timeZone)}`,
            ),
          onError: (error) =>
            logger.warn(`Could not start a command: ${getErrorMessage(error)} Trying again in a minute.`),
        });
      } finally {
        release();
      }
      throw signal.reason;
    });
}

/** @throws {ConfigError} if a field is out of range, or the pattern matches no date */
function parsePattern(CronType: typeof Cron, setting: VariableName, text: string, timezone: string): Cron {
  try {
    const pattern = new CronType(text, { timezone, paused: true, mode: "5-part" });
    if (pattern.nextRun()) return pattern;
  } catch (error) {
    throw new ConfigError(
      setting,
      `${setting} is ${JSON.stringify(text)}: ${getErrorMessage(error).replace("CronPattern: ", "")}. It takes ${cronPattern.accepted}.`,
    );
  }
  throw new ConfigError(setting, `${setting} is ${JSON.stringify(text)}, a time that never comes.`);
}

/** Opens the state for each call, because a restore may replace it. */
async function findLastStart(
  context: CliContext,
  commands: readonly string[],
  upTo: Date,
): Promise<Date | undefined> {
  const { openDataState } = await import("../../../state/data/data-state.ts");
  const folder = new DataFolder(context.settings.get("VENUE_DATA_DIR")).prepare();
  const state = openDataState(folder.stateFile, { isReader: true });
  try {
    return state.runs.findLastStart(commands, upTo);
  } finally {
    state.close();
  }
}

/** Runs a command of this program in a separate process, with the same settings and output. */
async function startCommand(
  { io, options }: CliContext,
  words: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const [, main = ""] = process.argv;
  const flags = options.debug ? ["--debug"] : [];
  const child = spawn(process.execPath, [...process.execArgv, main, ...words, ...flags], {
    cwd: io.workingFolder,
    env: { ...io.environment, ...readGivenFlags(options) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  try {
    const [code, killedBy] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[killedBy ?? "SIGKILL"];
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function findTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** E.g. `2026-11-22 05:30` */
function formatInZone(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(
    instant,
  );
}
