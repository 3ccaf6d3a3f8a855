import type { AheadRecords } from "../../state/data/walks.ts";
import type { WalkRecord } from "./walk-record.ts";

/**
 * A play that begins later than this after the history was asked for is rejected when it is loaded: a clock is wrong.
 * An export brings it again each time, so that it is taken once its time has come; a walk has to remember it.
 */
const aheadMs = 24 * 3_600_000;

/** Those that loading takes by now; `undefined`: there are none. */
export function dueRecords(ahead: AheadRecords | undefined, requestedAt: Date): AheadRecords | undefined {
  return ahead && ahead.from.getTime() <= requestedAt.getTime() + aheadMs ? ahead : undefined;
}

/** Which records of a page are ahead of their time, as of when it was asked for. */
export function findAhead(records: readonly WalkRecord[], requestedAt: string): WalkRecord[] {
  const latestMs = Date.parse(requestedAt) + aheadMs;
  return records.filter(({ instantMs }) => instantMs > latestMs);
}

/** Whether records of a sorted zone reach below an instant, so that no record from it on lies behind them. */
export function reachBelow(records: readonly WalkRecord[], fromMs: number | null): boolean {
  return fromMs === null || records.some(({ instantMs }) => instantMs < fromMs);
}
