import type { AheadRecords, SortOrder } from "../../state/data/walks.ts";
import type { Kind } from "../../util/kind.ts";
import { readPlayStart } from "../../util/play-start.ts";

export interface WalkRecord {
  /** JSON as written to the landing. */
  line: string;
  hash: number;
  /** Identity of the play; stays the same while its duration grows. */
  identity: string;
  /** Epoch milliseconds; NaN if the service returned no instant. */
  instantMs: number;
}

/** Converts a page's records. If only some of them have a UTC offset, the others get no instant. */
export function toWalkRecords(kind: Kind, page: readonly unknown[]): WalkRecord[] {
  const records = page.map((record) => ({ ...toWalkRecord(kind, record), hasOffset: hasOffset(record) }));
  const isMixed = records.some((record) => record.hasOffset);
  return records.map(({ hasOffset: isSure, ...record }) =>
    isMixed && !isSure ? { ...record, instantMs: Number.NaN } : record,
  );
}

function hasOffset(record: unknown): boolean {
  const { play_start } = Object(record) as Record<string, unknown>;
  return typeof play_start === "string" && /(?:Z|[+\-\u2212]\d\d(?::?\d\d)?)$/i.test(play_start.slice(10));
}

/**
 * Returns epoch milliseconds, computed the same way as in the load. A time without an offset is read as local
 * time, and is used only for comparisons.
 */
function readInstant(text: string): number {
  const start = readPlayStart(text);
  return "playedAtMs" in start ? start.playedAtMs : Date.parse(text);
}

/**
 * Converts any JSON value. A value that is not a play is landed too, so that the load can reject it with a
 * reason. It is counted, because the service's total includes it.
 */
export function toWalkRecord(kind: Kind, record: unknown): WalkRecord {
  const line = JSON.stringify(record);
  const hash = hashText(line);
  const { play_start, song_id, asset_id } = Object(record) as Record<string, unknown>;
  const item = kind === "music" ? song_id : asset_id;
  const isPlay = typeof play_start === "string" && (typeof item === "number" || typeof item === "string");
  const instantMs = isPlay ? readInstant(play_start) : Number.NaN;
  // A record without an offset keeps its date-time as written, because a record with an offset at that time may
  // be another play.
  const identity = isPlay ? `${(hasOffset(record) && instantMs) || play_start} ${item}` : `#${hash}`;
  return { line, hash, identity, instantMs };
}

/** Returns a fast, well-distributed, non-cryptographic 53-bit hash. */
export function hashText(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** Order of the records seen so far; `same` if all of them began at one instant. */
export type SeenOrder = SortOrder | "same";

/** Updates the order with further instants, of which the first is the last instant seen before. */
export function extendOrder(before: SeenOrder, instantsMs: readonly number[]): SeenOrder {
  let order = before;
  let last = Number.NaN;
  for (const instant of instantsMs) {
    if (Number.isNaN(instant)) continue;
    if (!Number.isNaN(last) && instant !== last)
      order = combineOrders(order, instant < last ? "newest" : "oldest");
    last = instant;
  }
  return order;
}

function combineOrders(order: SeenOrder, step: "newest" | "oldest"): SeenOrder {
  return order === "same" || order === step ? step : "unsorted";
}

/**
 * The load rejects a play that begins more than this after its request, because the player's clock is wrong.
 * Every later export contains the play again, so it is loaded once it is due. For walks, such plays are
 * recorded instead.
 */
const aheadMs = 24 * 3_600_000;

/** Returns the records if the load would accept them now; otherwise `undefined`. */
export function findDueRecords(ahead: AheadRecords | undefined, requestedAt: Date): AheadRecords | undefined {
  return ahead && ahead.from.getTime() <= requestedAt.getTime() + aheadMs ? ahead : undefined;
}

/** Returns the records that were too far in the future at the time of their request. */
export function findAhead(records: readonly WalkRecord[], requestedAt: string): WalkRecord[] {
  const latestMs = Date.parse(requestedAt) + aheadMs;
  return records.filter(({ instantMs }) => instantMs > latestMs);
}

/** Returns true if no further record of a sorted zone can be at or after this instant. */
export function hasReachedInstant(records: readonly WalkRecord[], fromMs: number | null): boolean {
  return fromMs === null || records.some(({ instantMs }) => instantMs < fromMs);
}
