import type { KnownLine, KnownRecord } from "./reference-model.ts";

/** Pseudorandom numbers, repeatable by seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  shuffle<Value>(values: readonly Value[]): Value[] {
    return values
      .map((value) => ({ value, order: this.next() }))
      .sort((left, right) => left.order - right.order)
      .map(({ value }) => value);
  }
}

export interface LineShape {
  zones: number;
  days: number;
  /** Share of lines that are not records. */
  badShare: number;
  /** Records of one play may disagree about offset and location; the last one loaded counts. */
  isContradictory: boolean;
}

const firstSecond = Date.UTC(2026, 2, 27) / 1000;

/** Lines of few zones, items and instants, so that plays repeat, grow and differ in every way. */
export function randomLines(random: Random, count: number, shape: LineShape): KnownLine[] {
  return Array.from({ length: count }, () => {
    if (random.next() < shape.badShare) return badLine(random);
    const record = randomRecord(random, shape);
    return { text: writeLine(random, record), record };
  });
}

function randomRecord(random: Random, { zones, days, isContradictory }: LineShape): KnownRecord {
  const zoneId = 1 + random.below(zones);
  const playedAt = firstSecond + random.below(days * 24 * 4) * 900;
  const offset = zoneId % 2 === 0 ? 60 : -420;
  return {
    zoneId,
    itemId: 1 + random.below(3),
    playedAt,
    offsetMinutes:
      isContradictory && random.next() < 0.1 ? random.pick([0, 60, 120, 330, -420, -600, 840]) : offset,
    durationSecs: random.pick([0, 0, 10, 30, 30, 30, 200]),
    artistId: random.pick([1, 1, 1, 2, 3, null]),
    locationId: isContradictory && random.next() < 0.1 ? random.pick([8, 9, null]) : zoneId * 10,
    zoneName: `Zone ${zoneId}${random.next() < 0.02 ? " renamed" : ""}`,
    itemName: random.pick(["One", "Two"]),
  };
}

function writeLine(random: Random, record: KnownRecord): string {
  const number = (value: number | null) =>
    value === null || random.next() < 0.95 ? value : random.pick([String(value), `0${value}`]);
  return JSON.stringify({
    zone_id: number(record.zoneId),
    zone_name: record.zoneName,
    song_id: number(record.itemId),
    song_name: record.itemName,
    play_start: writeStart(random, record),
    duration_secs: number(record.durationSecs),
    ...(record.artistId === null && random.next() < 0.5 ? {} : { artist_id: record.artistId }),
    location_id: number(record.locationId),
  });
}

function writeStart(random: Random, { playedAt, offsetMinutes }: KnownRecord): string {
  const local = new Date((playedAt + offsetMinutes * 60) * 1000).toISOString().slice(0, 19);
  if (offsetMinutes === 0 && random.next() < 0.5) return `${local}Z`;
  const size = Math.abs(offsetMinutes);
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, "0"));
  const sign = offsetMinutes < 0 ? "-" : "+";
  const text = `${local}${sign}${hours}:${minutes}`;
  return random.next() < 0.97
    ? text
    : random.pick([`${local}.25${sign}${hours}:${minutes}`, text.replace("T", " ")]);
}

function badLine(random: Random): KnownLine {
  const text = JSON.stringify({
    zone_id: 1,
    song_id: 1,
    play_start: "2026-03-28T10:00:00Z",
    duration_secs: 30,
  });
  return random.pick<KnownLine>([
    { text: "", blank: true },
    { text: "  \t", blank: true },
    { text: text.slice(0, 10 + random.below(60)), reason: "invalid_json" },
    { text: text.slice(0, -1), reason: "invalid_json" },
    { text: "Bad Gateway", reason: "invalid_json" },
    { text: "[]", reason: "not_an_object" },
    { text: text.replace('"song_id":1,', ""), reason: "missing_field" },
    { text: text.replace('"zone_id":1', '"zone_id":true'), reason: "wrong_type" },
    { text: text.replace('"zone_id":1', '"zone_id":1e0'), reason: "wrong_type" },
    { text: text.replace("Z", ""), reason: "no_utc_offset" },
    { text: text.replace("-28T", "-32T"), reason: "invalid_timestamp" },
    { text: text.replace("2026", "1970"), reason: "timestamp_out_of_range" },
    { text: text.replace("30}", "2678401}"), reason: "duration_out_of_range" },
  ]);
}
