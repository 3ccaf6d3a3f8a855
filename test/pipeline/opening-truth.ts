/** Seconds after midnight of the day on which a zone opened. */
interface Opening {
  opens: number;
  closes: number;
}

const daySecs = 86_400;
/** What plays before belongs to the opening of the day before. */
const nightEndsSecs = 5 * 3600;
/** What the analyst says, where they say something. */
const given: Opening = { opens: 8 * 3600, closes: 20 * 3600 };

/**
 * When zones are open, by their own clocks: from 08:00 to 20:00 on the weekdays that the analyst gives, else from the
 * middle one of the first starts to the middle one of the last ends on the same weekday, in the four weeks around.
 */
export class OpeningTruth {
  readonly #openWeekdays: ReadonlyMap<number, readonly number[]>;
  /** By zone and day. */
  readonly #traded = new Map<string, Opening>();

  constructor(openWeekdays: ReadonlyMap<number, readonly number[]>) {
    this.#openWeekdays = openWeekdays;
  }

  /** A play of a local day, in seconds after its midnight. */
  note(zoneId: number, localDay: number, startSecs: number, endSecs: number): void {
    const isNight = startSecs < nightEndsSecs;
    const key = `${zoneId} ${isNight ? localDay - 1 : localDay}`;
    const [start, end] = isNight ? [startSecs + daySecs, endSecs + daySecs] : [startSecs, endSecs];
    const known = this.#traded.get(key) ?? { opens: start, closes: end };
    this.#traded.set(key, { opens: Math.min(known.opens, start), closes: Math.max(known.closes, end) });
  }

  /** All day where nothing tells: the zone did not play at all in the four weeks around. */
  isOpen(zoneId: number, day: number, secs: number): boolean {
    if (!this.#openWeekdays.has(zoneId) && !this.#isKnown(zoneId, day)) return true;
    const [today, yesterday] = [this.#opening(zoneId, day), this.#opening(zoneId, day - 1)];
    const isIn = (opening: Opening | undefined, at: number) =>
      opening !== undefined && at >= opening.opens && at < opening.closes;
    return isIn(today, secs) || isIn(yesterday, secs + daySecs);
  }

  #isKnown(zoneId: number, day: number): boolean {
    return Array.from({ length: 57 }, (_, index) => day - 28 + index).some((other) =>
      this.#traded.has(`${zoneId} ${other}`),
    );
  }

  #opening(zoneId: number, day: number): Opening | undefined {
    const weekdays = this.#openWeekdays.get(zoneId);
    if (weekdays) return weekdays.includes(((((day + 3) % 7) + 7) % 7) + 1) ? given : undefined;
    const like = [-4, -3, -2, -1, 0, 1, 2, 3, 4].flatMap(
      (weeks) => this.#traded.get(`${zoneId} ${day + weeks * 7}`) ?? [],
    );
    if (like.length === 0) return undefined;
    const opens = middle(like.map((one) => one.opens));
    return { opens, closes: middle(like.map((one) => Math.min(one.closes, daySecs + nightEndsSecs))) };
  }
}

/** Of an even number the lower one. */
function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? 0;
}
