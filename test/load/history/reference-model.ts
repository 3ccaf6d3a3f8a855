/** A line with its meaning: a record, a reject, or neither. */
export type KnownLine = { text: string } & ({ record: KnownRecord } | { reason: string } | { blank: true });

export interface KnownRecord {
  zoneId: number;
  itemId: number;
  /** Epoch seconds. */
  playedAt: number;
  offsetMinutes: number;
  durationSecs: number;
  artistId: number | null;
  locationId: number | null;
  zoneName: string;
  itemName: string;
}

interface Stored extends KnownRecord {
  key: string;
  /** Request of the landing that last changed it. */
  requestedAt: Date;
}

/** Expected results of loads, computed with a Map and independent of the product. */
export class ReferenceModel {
  readonly plays = new Map<string, Stored>();
  readonly names = new Map<string, { first: number; last: number }>();
  readonly dirty = new Set<string>();

  /**
   * Loads lines and returns the counts.
   * @param isComplete of an export: missing plays have vanished
   * @param requestedAt plays that began later may be missing
   */
  load(lines: readonly KnownLine[], isComplete = true, requestedAt = new Date("9999-12-31")) {
    const counts = { newPlays: 0, changed: 0, unchanged: 0, duplicate: 0, rejected: 0, blank: 0 };
    const merged = new Map<string, Stored>();
    for (const line of lines) {
      if ("blank" in line) counts.blank += 1;
      else if ("reason" in line) counts.rejected += 1;
      else {
        const record = { ...line.record, key: keyOf(line.record), requestedAt };
        const before = merged.get(record.key);
        if (before) counts.duplicate += 1;
        merged.set(record.key, before ? mergeWithinFile(before, record) : record);
        this.#see("zone", record.zoneId, record.zoneName, record.playedAt);
        this.#see("item", record.itemId, record.itemName, record.playedAt);
      }
    }
    for (const record of merged.values()) counts[this.#store(record)] += 1;
    const zeroSecond = [...merged.values()].filter(({ durationSecs }) => durationSecs === 0).length;
    return {
      lines: lines.length,
      ...counts,
      zeroSecond,
      vanished: isComplete ? this.#countVanished(merged, requestedAt) : 0,
    };
  }

  #store(record: Stored): "newPlays" | "changed" | "unchanged" {
    const stored = this.plays.get(record.key);
    if (!stored) {
      this.plays.set(record.key, record);
      this.dirty.add(dateOf(record));
      return "newPlays";
    }
    const winner = better(stored, record);
    const [older, newer] = record.requestedAt < stored.requestedAt ? [record, stored] : [stored, record];
    const next: Stored = {
      ...stored,
      durationSecs: winner.durationSecs,
      artistId: winner.artistId,
      offsetMinutes: newer.offsetMinutes,
      locationId: newer.locationId ?? older.locationId,
      requestedAt: newer.requestedAt,
    };
    const isChanged = (["durationSecs", "artistId", "offsetMinutes", "locationId"] as const).some(
      (field) => next[field] !== stored[field],
    );
    if (!isChanged) return "unchanged";
    this.dirty.add(dateOf(stored)).add(dateOf(next));
    this.plays.set(record.key, next);
    return "changed";
  }

  #countVanished(merged: ReadonlyMap<string, Stored>, requestedAt: Date): number {
    const firstOfZone = new Map<number, number>();
    for (const { zoneId, playedAt } of merged.values()) {
      firstOfZone.set(zoneId, Math.min(playedAt, firstOfZone.get(zoneId) ?? Number.POSITIVE_INFINITY));
    }
    return [...this.plays.values()].filter(
      ({ key, zoneId, playedAt, durationSecs }) =>
        durationSecs > 0 &&
        !merged.has(key) &&
        playedAt <= requestedAt.getTime() / 1000 &&
        playedAt > (firstOfZone.get(zoneId) ?? Number.POSITIVE_INFINITY),
    ).length;
  }

  #see(subject: string, id: number, name: string, at: number): void {
    const key = `${subject} ${id} ${name}`;
    const span = this.names.get(key) ?? { first: at, last: at };
    this.names.set(key, { first: Math.min(span.first, at), last: Math.max(span.last, at) });
  }
}

function keyOf({ zoneId, itemId, playedAt }: KnownRecord): string {
  return `${zoneId} ${itemId} ${playedAt}`;
}

/** The local date on which the record began, as days since the epoch. */
function dateOf({ playedAt, offsetMinutes }: KnownRecord): string {
  return new Date((playedAt + offsetMinutes * 60) * 1000).toISOString().slice(0, 10);
}

/** The longer of two, or the one with the lower artist id; a missing artist sorts last. */
function better(left: Stored, right: Stored): Stored {
  if (left.durationSecs !== right.durationSecs) return left.durationSecs > right.durationSecs ? left : right;
  return (left.artistId ?? Number.POSITIVE_INFINITY) <= (right.artistId ?? Number.POSITIVE_INFINITY)
    ? left
    : right;
}

function mergeWithinFile(left: Stored, right: Stored): Stored {
  const locations = [left.locationId, right.locationId].filter((id) => id !== null);
  return {
    ...better(left, right),
    offsetMinutes: Math.min(left.offsetMinutes, right.offsetMinutes),
    locationId: locations.length > 0 ? Math.min(...locations) : null,
  };
}
