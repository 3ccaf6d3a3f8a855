import type { SyncResult } from "../pipeline/sync.ts";
import {
  describeLoad,
  describeRejectedWhole,
  isRejectedWhole,
  loadsExitCode,
  summarizeLoad,
} from "./describe-load.ts";
import { combineExitCodes, exitCodeOf } from "./exit-code.ts";

export function syncExitCode({ loads, failures }: SyncResult): number {
  return combineExitCodes([loadsExitCode(loads), ...failures.map(({ error }) => exitCodeOf(error))]);
}

/** A sync's result for people and programs. */
export function describeSync({ requests, loads, listings, failures }: SyncResult) {
  const rejectedWhole = loads.filter(isRejectedWhole);
  const note = `${requests} requests, ${loads.length} histories and ${listings} listings loaded, ${failures.length} sources failed.`;
  return {
    text: [...loads.map(describeLoad), note].join("\n"),
    problems: [
      ...failures.map(({ source, error }) => `Not collected: ${source}: ${error.message}`),
      ...rejectedWhole.map(describeRejectedWhole),
    ],
    note,
    summary: {
      requests,
      loads: loads.map(summarizeLoad),
      listings,
      failures: failures.map(({ source, error }) => ({ source, error: error.message })),
    },
  };
}
