/** Seconds after midnight of the day on which a zone opened. */
interface Opening {
  opens: number;
  closes: number;
}

const daySecs = 86_400;
/** Plays before this time belong to the previous day's opening. */
const nightEndsSecs = 5 * 3600;
/** Hours configured by the analyst. */
const given: Opening = { opens: 8 * 3600, closes: 20 * 3600 };

/**
 * Opening hours in zone time: 08:00 to 20:00 on weekdays configured by the analyst; otherwise from the median
 * first start to the median last end on the same weekday within four weeks.
 */
export class OpeningTruth {
  readonly #openWeekdays: ReadonlyMap<number, readonly number[]>;
  /** By zone and day. */
  readonly #traded = new Map<string, Opening>();

  constructor(openWeekdays: ReadonlyMap<number, readonly number[]>) {
    this.#openWeekdays = openWeekdays;
  }

  /** Records a play of a local day, in seconds after its midnight. */
  note(zoneId: number, localDay: number, startSecs: number, endSecs: number): void {
    const isNight = startSecs < nightEndsSecs;
    const key = `${zoneId} ${isNight ? localDay - 1 : localDay}`;
    const [start, end] = isNight ? [startSecs + daySecs, endSecs + daySecs] : [startSecs, endSecs];
    const known = this.#traded.get(key) ?? { opens: start, closes: end };
    this.#traded.set(key, { opens: Math.min(known.opens, start), closes: Math.max(known.closes, end) });
  }

  /** A zone without plays within four weeks is treated as open all day. */
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

/** The lower median. */
function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? 0;
}
