import { appendFileSync } from "node:fs";
import { expect } from "vitest";

/** Reports rounds of the current suite and how they ended: on stdout, and to `make soak` in the file that `TRIED` names. */
export function tellTried(what: string, times: number, happened: Readonly<Record<string, number>>): void {
  process.stdout.write(`tried: ${JSON.stringify({ what, times, happened })}\n`);
  const suite = expect.getState().testPath;
  if (process.env.TRIED) appendFileSync(process.env.TRIED, `${JSON.stringify({ suite, times })}\n`);
}
