import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import split2 from "split2";
import { expect, onTestFinished } from "vitest";

export interface Reader<Seen> {
  /** Waits for a round with this result, however slow the reader. */
  untilSeen(isIt: (seen: Seen) => boolean): Promise<void>;
  /** Ends the reader, which must not have failed; returns the results of all rounds. */
  end(): Promise<Seen[]>;
}

/** Starts a process that reads until its stdin ends and prints each round's result as a line of JSON. */
export function startReader<Seen>(
  script: string,
  args: readonly string[],
  { program = process.execPath, environment = {} } = {},
): Reader<Seen> {
  const child = spawn(program, [script, ...args], { env: { ...process.env, ...environment } });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const seen: Seen[] = [];
  child.stdout.pipe(split2()).on("data", (line: string) => seen.push(JSON.parse(line) as Seen));
  const [failures, closed] = [text(child.stderr), once(child, "close")];
  return {
    async untilSeen(isIt) {
      await expect.poll(() => child.exitCode !== null || seen.some(isIt)).toBe(true);
    },
    async end() {
      child.stdin.end();
      const [code] = await closed;
      expect([await failures, code]).toEqual(["", 0]);
      return seen;
    },
  };
}
