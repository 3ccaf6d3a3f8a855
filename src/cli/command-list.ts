import type { Command } from "commander";
import type { CliContext } from "./cli-context.ts";

/** Related commands, under one heading in `--help` and in one folder of `commands/`. */
interface CommandGroup {
  heading: string;
  commands: readonly CommandEntry[];
}

/** A word after `venue`. Its flags and action are in a file that is loaded only when the word is used. */
interface CommandEntry {
  name: string;
  /** One line for the list in `--help`. */
  summary: string;
  load(): Promise<CommandFile>;
  /** For scripts only: not listed in help. */
  isHidden?: boolean;
}

/** Exports of a file in `commands/`. Imports that only the action needs are loaded when it runs. */
interface CommandFile {
  /** Adds flags, help and the action. */
  define(command: Command, context: CliContext): void;
}

/** Every command, in the order of `--help`. To add one, add an entry here and the file it loads. */
export const commandGroups: readonly CommandGroup[] = [
  {
    heading: "To start with:",
    commands: [
      {
        name: "demo",
        summary: "run everything on a built-in emulator of the service, in data/demo; print the reports",
        load: () => import("./commands/start/demo.ts"),
      },
      {
        name: "emulate",
        summary: "run the emulator of the service alone, until interrupted",
        load: () => import("./commands/start/emulate.ts"),
      },
      {
        name: "login",
        summary: "fetch the client secret with the operator's one-time code, and store it",
        load: () => import("./commands/start/login.ts"),
      },
      {
        name: "doctor",
        summary: "try each part, and say what to do about what fails; show the settings",
        load: () => import("./commands/start/doctor.ts"),
      },
    ],
  },
  {
    heading: "Every day:",
    commands: [
      {
        name: "run",
        summary: "the scheduled job: sync, build, reports",
        load: () => import("./commands/daily/run.ts"),
      },
      {
        name: "plan",
        summary: "what sync would do: export or walk, requests, minutes, and why",
        load: () => import("./commands/daily/plan.ts"),
      },
      {
        name: "sync",
        summary: "collect from the service and load what comes",
        load: () => import("./commands/daily/sync.ts"),
      },
      {
        name: "load",
        summary: "load history files (JSON Lines, plain or .gz), or stdin, that came another way",
        load: () => import("./commands/daily/load.ts"),
      },
      {
        name: "build",
        summary: "rebuild what changed, check it, and publish it",
        load: () => import("./commands/daily/build.ts"),
      },
      {
        name: "check",
        summary: "run the checks alone, print failing rows",
        load: () => import("./commands/daily/check.ts"),
      },
    ],
  },
  {
    heading: "Answers:",
    commands: [
      {
        name: "report",
        summary: "print a report of what is published",
        load: () => import("./commands/answers/report.ts"),
      },
      {
        name: "serve",
        summary: "serve the published version as web pages on this machine",
        load: () => import("./commands/answers/serve.ts"),
      },
      {
        name: "query",
        summary: "run a SQL query on what is published",
        load: () => import("./commands/answers/query.ts"),
      },
      {
        name: "runs",
        summary: "list the runs, newest first",
        load: () => import("./commands/answers/runs.ts"),
      },
      {
        name: "rejects",
        summary: "list the rejected lines, newest load first",
        load: () => import("./commands/answers/rejects.ts"),
      },
    ],
  },
  {
    heading: "To share and keep:",
    commands: [
      {
        name: "publish",
        summary: "write what is published into another folder, or what was loaded into a lake",
        load: () => import("./commands/keeping/publish.ts"),
      },
      {
        name: "lake",
        summary: "show what machines have published into a shared lake; remove one from it",
        load: () => import("./commands/keeping/lake.ts"),
      },
      {
        name: "backup",
        summary: "back up everything that can't be downloaded again, into a folder",
        load: () => import("./commands/keeping/backup.ts"),
      },
      {
        name: "restore",
        summary: "restore the data folder from a backup",
        load: () => import("./commands/keeping/restore.ts"),
      },
      {
        name: "reference",
        summary: "the analyst's CSVs in the data folder's reference/",
        load: () => import("./commands/keeping/reference.ts"),
      },
    ],
  },
  {
    heading: "The service, and this program:",
    commands: [
      {
        name: "api",
        summary: "every endpoint of the service by name: venue api <resource> <action>",
        load: () => import("./commands/service/api.ts"),
      },
      {
        name: "completion",
        summary: "print a script that completes commands, flags and words in a shell",
        load: () => import("./commands/service/completion.ts"),
      },
      {
        name: "complete",
        summary: "list what may come next on a command line",
        load: () => import("./commands/service/complete.ts"),
        isHidden: true,
      },
      {
        name: "help",
        summary: "explain a command, a setting, a report, or a column of one",
        load: () => import("./commands/service/help.ts"),
      },
    ],
  },
];

/** Commands that help and the docs list. */
export const commandList: readonly CommandEntry[] = commandGroups
  .flatMap(({ commands }) => commands)
  .filter(({ isHidden = false }) => !isHidden);
