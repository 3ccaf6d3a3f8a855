import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Random } from "../../src/emulator/world/random.ts";
import { preloadLibrary } from "../support/preload-library.ts";
import { type Finished, type Running, type RunOptions, startVenue } from "../support/run-venue.ts";

const source = fileURLToPath(new URL("failing-calls.c", import.meta.url));

/** A call that changed a file, from any library of the program. */
export interface Call {
  /** `write`, `sync`, `rename` … and the file in the working folder, without parts that vary by run. */
  step: string;
  /** Counted from 1. */
  number: number;
}

/** Failure to inject at a call: end by SIGKILL, or fail with this error number. */
export interface Failure {
  at: number;
  errno: number | "SIGKILL";
}

export const errorNumbers = { EIO: 5, ENOSPC: 28 } as const;

/** Starts the program in a separate process in which one call fails. */
export async function startFailing(
  args: readonly string[],
  options: RunOptions,
  { at, errno }: Failure,
): Promise<Running> {
  return await start(args, options, {
    CALLS_FAIL_AT: String(at),
    CALLS_ERRNO: String(errno === "SIGKILL" ? 0 : errno),
  });
}

export async function runFailing(
  args: readonly string[],
  options: RunOptions,
  failure: Failure,
): Promise<Finished> {
  return await (await startFailing(args, options, failure)).finished;
}

/**
 * Runs it without failures and returns all its changes on disk.
 * @param meanwhile acts on the process: it ends one that would not end by itself
 */
export async function recordCalls(
  args: readonly string[],
  options: RunOptions,
  meanwhile: (running: Running) => Promise<void> = async () => {},
): Promise<Finished & { calls: Call[] }> {
  const log = join(options.workingFolder, "..", "calls.log");
  const running = await start(args, options, { CALLS_LOG: log });
  await meanwhile(running);
  const finished = await running.finished;
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  const calls = lines.map((line, index) => ({
    step: buildStepName(line, options.workingFolder),
    number: index + 1,
  }));
  return { ...finished, calls };
}

/** A name for a call that is the same in every run. */
function buildStepName(line: string, folder: string): string {
  return stripVariableParts(line.replace("\t", " ").replace(`${folder}/`, ""));
}

/** The name of a file or step, without parts that differ between runs. */
export function stripVariableParts(name: string): string {
  return name
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|(?<=\/load-)\w{6}|(?<=\.replaced-)\w+(-\d+)?/g, "ID")
    .replaceAll(/\d+/g, "N");
}

async function start(
  args: readonly string[],
  options: RunOptions,
  env: Record<string, string>,
): Promise<Running> {
  const environment = {
    ...options.environment,
    ...env,
    LD_PRELOAD: await preloadLibrary(source),
    CALLS_BELOW: options.workingFolder,
  };
  return startVenue(args, { ...options, environment });
}

/** The first and the last call of each step, or a random choice of them. */
export function chooseSteps(calls: readonly Call[], count: number, random: Random): Call[] {
  const [first, last] = [new Map<string, Call>(), new Map<string, Call>()];
  for (const call of calls) {
    if (!first.has(call.step)) first.set(call.step, call);
    last.set(call.step, call);
  }
  const ends = [...new Set([...first.values(), ...last.values()])];
  return ends.length <= count ? ends : Array.from({ length: count }, () => random.pick(ends));
}

/** A uniform random choice of calls. */
export function chooseInstants(calls: readonly Call[], count: number, random: Random): Call[] {
  return Array.from({ length: count }, () => random.pick(calls));
}
