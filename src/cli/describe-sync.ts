import type { SyncResult } from "../pipeline/sync.ts";
import { describeLoad, summarizeLoad } from "./describe-load.ts";
import { combineExitCodes, exitCodeOf } from "./exit-code.ts";

export function syncExitCode({ failures }: SyncResult): number {
  return combineExitCodes(failures.map(({ error }) => exitCodeOf(error)));
}

/** A sync's result for people and programs. */
export function describeSync({ requests, loads, listings, failures }: SyncResult) {
  const problems = failures.map(({ source, error }) => ({ source, error: error.message }));
  const note = `${requests} requests, ${loads.length} histories and ${listings} listings loaded, ${problems.length} sources failed.`;
  const text = [
    ...loads.map(describeLoad),
    ...problems.map(({ source, error }) => `Not collected: ${source}: ${error}`),
    note,
  ];
  return {
    text: text.join("\n"),
    note,
    summary: { requests, loads: loads.map(summarizeLoad), listings, failures: problems },
  };
}
