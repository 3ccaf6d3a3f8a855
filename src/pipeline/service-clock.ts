import type { Clock } from "../util/clock.ts";
import { formatDuration } from "../util/text/words.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Smaller differences between the clocks are ignored, because the service reports whole seconds. */
const toleratedMs = 60_000;

export interface ServiceClock {
  clock: Clock;
  /** Receives the service's time from a response, in ms since the epoch. */
  onDate(servedAtMs: number): void;
}

/**
 * Returns a clock that follows the service's if this machine's is wrong, so that data from several collectors is in
 * order. It starts with the difference found by the last run. A clock that `VENUE_NOW` fixes is left alone.
 */
export function followService({ clock, settings, state, logger }: Workspace): ServiceClock {
  if (settings.find("VENUE_NOW") !== undefined) return { clock, onDate: () => {} };
  let offsetMs = state.stores.clockOffsetMs;
  return {
    clock: { ...clock, now: () => new Date(clock.now().getTime() + offsetMs) },
    onDate(servedAtMs) {
      const differenceMs = servedAtMs - clock.now().getTime();
      const nextMs = Math.abs(differenceMs) < toleratedMs ? 0 : differenceMs;
      if (Math.abs(nextMs - offsetMs) < toleratedMs) return;
      offsetMs = nextMs;
      state.stores.setClockOffset(offsetMs);
      if (offsetMs === 0) return;
      const side = offsetMs > 0 ? "behind" : "ahead of";
      logger.warn(
        `This machine's clock is ${formatDuration(Math.abs(offsetMs) / 1000)} ${side} the service's, which dates the requests. Synchronize it.`,
      );
    },
  };
}
