import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import split2 from "split2";
import { expect, onTestFinished } from "vitest";

export interface Reader<Seen> {
  /** Waits for a round that saw this, however slow the reader is. */
  untilSeen(isIt: (seen: Seen) => boolean): Promise<void>;
  /** Ends the reader, which met no error; answers what each of its rounds saw. */
  end(): Promise<Seen[]>;
}

/** Starts a process that reads again and again until its stdin ends, and says as a line of JSON what each round saw. */
export function startReader<Seen>(script: string, argument: string): Reader<Seen> {
  const child = spawn(process.execPath, [script, argument]);
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
