import { appendFileSync } from "node:fs";

/** Tells how often something was tried, and what happened: as a line of JSON in the file that `TRIED` names, else on stdout. */
export function tellTried(what: string, times: number, happened: Readonly<Record<string, number>>): void {
  const line = `${JSON.stringify({ what, times, happened })}\n`;
  if (process.env.TRIED) appendFileSync(process.env.TRIED, line);
  else process.stdout.write(`tried: ${line}`);
}
