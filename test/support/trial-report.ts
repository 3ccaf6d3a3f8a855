import { appendFileSync } from "node:fs";
import { expect } from "vitest";

/** Reports a suite's rounds and outcomes: on stdout, and for `make soak` in the file `TRIED`. */
export function reportTrials(what: string, times: number, happened: Readonly<Record<string, number>>): void {
  process.stdout.write(`tried: ${JSON.stringify({ what, times, happened })}\n`);
  const suite = expect.getState().testPath;
  if (process.env.TRIED) appendFileSync(process.env.TRIED, `${JSON.stringify({ suite, times })}\n`);
}
