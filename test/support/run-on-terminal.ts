import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { program, type RunOptions } from "./run-venue.ts";

/** Gives another program a terminal; part of util-linux. */
const giver = "script";

export const hasTerminals =
  process.platform === "linux" && spawnSync(giver, ["--version"], { stdio: "ignore" }).status === 0;

export interface OnTerminal {
  /** All terminal output so far. */
  shown(): string;
  /** Resolves once it has shown a text. */
  until(text: string): Promise<void>;
  type(keys: string): void;
  finished: Promise<number | null>;
}

export function startOnTerminal(
  args: readonly string[],
  { environment, workingFolder }: RunOptions,
): OnTerminal {
  const command = [process.execPath, program, ...args].map(quote).join(" ");
  const child = spawn(giver, ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: workingFolder,
    env: { PATH: process.env.PATH, TERM: "dumb", SHELL: "/bin/sh", ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk;
  });
  const finished = once(child, "close").then(([code]) => code as number | null);
  return {
    shown: () => shown,
    async until(text) {
      while (!shown.includes(text)) {
        if (child.exitCode !== null) throw new Error(`It ended without ${JSON.stringify(text)}:\n${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    type: (keys) => {
      child.stdin.write(keys);
    },
    finished,
  };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
