import type { Command } from "commander";
import type { CliContext } from "./cli-context.ts";

/** Related commands, under one heading in `--help` and in one folder of `commands/`. */
interface CommandGroup {
  heading: string;
  commands: readonly CommandEntry[];
}

/** A command. Its flags and action are in a file that is loaded only if the command is used. */
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
  /** Adds the parts that only help and completion need. They are separate because they load slowly. */
  loadHelp?(command: Command): Promise<void>;
}

/** Every command, in the order of `--help`. To add one, add an entry here and the file it loads. */
export const commandGroups: readonly CommandGroup[] = [
  {
    heading: "Get started:",
    commands: [
      {
        name: "demo",
        summary: "run the whole pipeline on a built-in emulator, in data/demo; print the reports",
        load: () => import("./commands/start/demo.ts"),
      },
      {
        name: "emulate",
        summary: "run only the emulator of the service, until interrupted",
        load: () => import("./commands/start/emulate.ts"),
      },
      {
        name: "login",
        summary: "fetch the client secret with the operator's one-time code, and store it",
        load: () => import("./commands/start/login.ts"),
      },
      {
        name: "doctor",
        summary: "check each part and explain how to fix failures; show the settings",
        load: () => import("./commands/start/doctor.ts"),
      },
    ],
  },
  {
    heading: "Daily:",
    commands: [
      {
        name: "run",
        summary: "sync, build, and write the reports; schedule this command",
        load: () => import("./commands/daily/run.ts"),
      },
      {
        name: "schedule",
        summary: "run the pipeline every morning and check devices every hour, until stopped",
        load: () => import("./commands/daily/schedule.ts"),
      },
      {
        name: "plan",
        summary: "show what sync would do: exports or walks, requests, minutes, and why",
        load: () => import("./commands/daily/plan.ts"),
      },
      {
        name: "sync",
        summary: "collect from the service and load the results",
        load: () => import("./commands/daily/sync.ts"),
      },
      {
        name: "collect",
        summary: "collect from the service into a landing store, for a loader on another machine",
        load: () => import("./commands/daily/collect.ts"),
      },
      {
        name: "load",
        summary:
          "load what collectors left in a landing store, or history files (JSON Lines, plain or .gz) or stdin",
        load: () => import("./commands/daily/load.ts"),
      },
      {
        name: "build",
        summary: "rebuild what changed, check it, and publish it",
        load: () => import("./commands/daily/build.ts"),
      },
      {
        name: "check",
        summary: "run only the checks, and print failing rows",
        load: () => import("./commands/daily/check.ts"),
      },
      {
        name: "notify",
        summary: "check, preview and send notifications; store webhooks",
        load: () => import("./commands/daily/notify.ts"),
      },
    ],
  },
  {
    heading: "Results:",
    commands: [
      {
        name: "report",
        summary: "print a report on the published data",
        load: () => import("./commands/answers/report.ts"),
      },
      {
        name: "proof",
        summary: "write a proof of play for an advertiser, or verify one",
        load: () => import("./commands/answers/proof.ts"),
      },
      {
        name: "serve",
        summary: "serve the published version as web pages on this machine",
        load: () => import("./commands/answers/serve.ts"),
      },
      {
        name: "query",
        summary: "run a SQL query on the published data",
        load: () => import("./commands/answers/query.ts"),
      },
      {
        name: "mcp",
        summary: "answer an assistant's questions with the Model Context Protocol, on stdin and stdout",
        load: () => import("./commands/answers/mcp.ts"),
      },
      {
        name: "own",
        summary: "write and test custom reports and checks",
        load: () => import("./commands/answers/own.ts"),
      },
      {
        name: "status",
        summary: "show the last runs, the age of the data, and what failed",
        load: () => import("./commands/answers/status.ts"),
      },
      {
        name: "metrics",
        summary: "print metrics for Prometheus",
        load: () => import("./commands/answers/metrics.ts"),
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
    heading: "Share and back up:",
    commands: [
      {
        name: "publish",
        summary: "publish tables to another folder or an S3 store",
        load: () => import("./commands/keeping/publish.ts"),
      },
      {
        name: "backup",
        summary: "copy everything that can't be downloaded again to a backup folder",
        load: () => import("./commands/keeping/backup.ts"),
      },
      {
        name: "restore",
        summary: "restore the data folder from a backup",
        load: () => import("./commands/keeping/restore.ts"),
      },
      {
        name: "reference",
        summary: "check the analysts' files in reference/, or write one to fill in",
        load: () => import("./commands/keeping/reference.ts"),
      },
    ],
  },
  {
    heading: "Service and program:",
    commands: [
      {
        name: "api",
        summary: "call any endpoint of the service: venue api <resource> <action>",
        load: () => import("./commands/service/api.ts"),
      },
      {
        name: "completion",
        summary: "print a script for shell completion of commands, flags and values",
        load: () => import("./commands/service/completion.ts"),
      },
      {
        name: "complete",
        summary: "list completions for a command line",
        load: () => import("./commands/service/complete.ts"),
        isHidden: true,
      },
      {
        name: "help",
        summary: "explain a command, setting, report or report column",
        load: () => import("./commands/service/help.ts"),
      },
    ],
  },
];

/** Commands listed in help and in the docs. */
export const commandList: readonly CommandEntry[] = commandGroups
  .flatMap(({ commands }) => commands)
  .filter(({ isHidden = false }) => !isHidden);
