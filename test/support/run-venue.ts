import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runProgram } from "../../src/cli/program.ts";

export const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** Output on stderr so far. */
  stderr(): string;
  finished: Promise<Finished>;
}

export interface RunOptions {
  /** The entire environment of the program, except PATH and the temporary folder. */
  environment: NodeJS.ProcessEnv;
  workingFolder: string;
  /** Input on stdin. @default none: stdin is closed */
  input?: string | Buffer;
}

export interface StartOptions extends RunOptions {
  /** Keeps stdin open after the input. @default false */
  keepsInputOpen?: boolean;
  /** The program's main file. @default the compiled one */
  program?: string;
  /** A command with arguments through which the program is run. */
  through?: readonly string[];
}

/** Returns true if this machine can run the program through a command. */
export function canRunThrough([command = "", ...words]: readonly string[]): boolean {
  return spawnSync(command, [...words, process.execPath, program, "--version"]).status === 0;
}

/** Starts the compiled program as a user does. It is killed if it still runs when the test ends. */
export function startVenue(
  args: readonly string[],
  {
    environment,
    workingFolder,
    input,
    keepsInputOpen = false,
    program: main = program,
    through = [],
  }: StartOptions,
): Running {
  const [command = process.execPath, ...words] = [...through, process.execPath, main, ...args];
  const child = spawn(command, words, {
    cwd: workingFolder,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: [input === undefined && !keepsInputOpen ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // It may end before reading all input.
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

/**
 * Runs the program to its end in this process, which is much faster than a separate one. Signals, kills and
 * concurrent runs need a process: see `startVenue`.
 */
export async function runVenue(
  args: readonly string[],
  { environment, workingFolder, input = "" }: RunOptions,
): Promise<Finished> {
  const [stdout, stderr] = [collect(), collect()];
  const code = await runProgram(args, {
    stdout: stdout.stream,
    stderr: stderr.stream,
    stdin: Readable.from([Buffer.from(input)], { objectMode: false }),
    environment: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
    workingFolder,
  });
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

function collect(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
