import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs a script in a separate process; returns its stdout. */
export async function runProcess(script: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return stdout;
}
