const dayMs = 24 * 3_600_000;

/** A play that started later than this has a wrong clock: 24 hours after the history was asked for. */
export function latestPlayedAt(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + dayMs);
}
