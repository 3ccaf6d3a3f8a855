/**
 * Milliseconds of the machine's monotonic clock: the same for all its processes, never set back, and counted anew
 * when the machine starts.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
