import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The compiled program. */
export const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** What it has written to stderr so far. */
  stderr(): string;
  finished: Promise<Finished>;
}

export interface RunOptions {
  /** The whole environment of the program, beside PATH and the folder for temporary files. */
  environment: NodeJS.ProcessEnv;
  workingFolder: string;
  /** What is piped into it. @default nothing: stdin is closed */
  input?: string | Buffer;
  /** Whatever is piped in, more could come. @default false */
  keepsInputOpen?: boolean;
  /** The program's main file. @default the compiled one */
  program?: string;
}

/** Starts the compiled program as a user would. One that still runs when the test ends is killed. */
export function startVenue(
  args: readonly string[],
  { environment, workingFolder, input, keepsInputOpen = false, program: main = program }: RunOptions,
): Running {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: workingFolder,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: [input === undefined && !keepsInputOpen ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // It may end without having read all of it.
  child.stdin?.on("error", () => {});
  if (!keepsInputOpen) child.stdin?.end(input);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    output.stdout += chunk;
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    output.stderr += chunk;
  });
  const finished = once(child, "close").then(([code, signal]) => ({ code, signal, ...output }) as Finished);
  return { child, stderr: () => output.stderr, finished };
}

/** Runs the compiled program to its end. */
export function runVenue(args: readonly string[], options: RunOptions): Promise<Finished> {
  return startVenue(args, options).finished;
}
