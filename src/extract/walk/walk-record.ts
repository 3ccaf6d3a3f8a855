import type { Kind } from "../../util/kind.ts";
import { readPlayStart } from "../../util/play-start.ts";

/** A record of a page, as a walk needs it. */
export interface WalkRecord {
  /** JSON, as it goes into the landing. */
  line: string;
  /** Of all that the line says. */
  hash: number;
  /** What the record is about: the same while its duration grows. */
  identity: string;
  /** When it began, epoch ms; NaN where the service wrote no instant. */
  instantMs: number;
  /** It tells of a play, as far as a walk can see. */
  isPlay: boolean;
}

/** A page's records. One whose date-time has no offset, where those of others have, tells no instant. */
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

/** Epoch ms, the same as when it is loaded. A start without an offset counts as local time: walks only compare them. */
function readInstant(text: string): number {
  const start = readPlayStart(text);
  return "playedAtMs" in start ? start.playedAtMs : Date.parse(text);
}

/**
 * Any JSON value: one that is no play goes into the landing like the others, where loading rejects it with its
 * reason, and is counted by the walk as the service counts it.
 */
export function toWalkRecord(kind: Kind, record: unknown): WalkRecord {
  const line = JSON.stringify(record);
  const hash = hashText(line);
  const { play_start, song_id, asset_id } = Object(record) as Record<string, unknown>;
  const item = kind === "music" ? song_id : asset_id;
  const isPlay = typeof play_start === "string" && (typeof item === "number" || typeof item === "string");
  const instantMs = isPlay ? readInstant(play_start) : Number.NaN;
  // Where others tell theirs, one without an offset may be another play than the one that its date-time would make it.
  const identity = isPlay ? `${(hasOffset(record) && instantMs) || play_start} ${item}` : `#${hash}`;
  return { line, hash, identity, instantMs, isPlay };
}

/** 53 bits of a text: two rounds of multiplication and mixing, quick and well spread; not meant to keep secrets. */
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
