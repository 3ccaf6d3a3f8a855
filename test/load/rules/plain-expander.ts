/** A drawn rule without contradictions. Lists may be unordered, with repeats. */
export interface PlainRule {
  FREQ: "YEARLY" | "MONTHLY" | "WEEKLY" | "DAILY" | "HOURLY" | "MINUTELY" | "SECONDLY";
  INTERVAL?: number | undefined;
  COUNT?: number | undefined;
  /** Days since 1970-01-01, and the written form. */
  UNTIL?: { day: number; second: number; form: "date" | "local" | "instant" } | undefined;
  BYMONTH?: number[] | undefined;
  BYWEEKNO?: number[] | undefined;
  BYYEARDAY?: number[] | undefined;
  BYMONTHDAY?: number[] | undefined;
  /** The number 0 means all of them. */
  BYDAY?: { number: number; weekday: number }[] | undefined;
  BYHOUR?: number[] | undefined;
  BYMINUTE?: number[] | undefined;
  BYSECOND?: number[] | undefined;
  BYSETPOS?: number[] | undefined;
  /** 0 is Monday. */
  WKST?: number | undefined;
}

export interface PlainAnchor {
  day: number;
  second: number;
  /** The campaign was added on that day: it runs from the next day on. */
  isAdded: boolean;
}

const weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

export function writeRule(rule: PlainRule): string {
  const parts = Object.entries(rule).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${writePart(name, value)}`],
  );
  return parts.join(";");
}

function writePart(name: string, value: unknown): string {
  if (name === "UNTIL") return writeUntil(value as NonNullable<PlainRule["UNTIL"]>);
  if (name === "WKST") return weekdayNames[value as number] ?? "";
  if (name !== "BYDAY") return String(value);
  return (value as NonNullable<PlainRule["BYDAY"]>)
    .map(({ number, weekday }) => `${number || ""}${weekdayNames[weekday]}`)
    .join();
}

function writeUntil({ day, second, form }: NonNullable<PlainRule["UNTIL"]>): string {
  const text = new Date((day * 86_400 + second) * 1000).toISOString().replaceAll(/[-:]|\.000Z/g, "");
  return form === "date" ? text.slice(0, 8) : form === "local" ? text : `${text}Z`;
}

/**
 * The times of a rule by date: tests every second of each day that the rule could match. Slow and plain on
 * purpose; shares nothing with the program.
 * @param from and `to`, inclusive: days since 1970-01-01
 * @param untilOffset seconds ahead of UTC of the clock that reads an UNTIL with an instant
 */
export function expandNaively(
  rule: PlainRule,
  anchor: PlainAnchor | undefined,
  { from, to, untilOffset }: { from: number; to: number; untilOffset: number },
): Map<number, number[]> {
  const begin = anchor === undefined ? from : anchor.day + (anchor.isAdded ? 1 : 0);
  const firstSecond = anchor && !anchor.isAdded ? anchor.second : 0;
  const last = lastSecond(rule.UNTIL, untilOffset);
  const found = new Map<number, number[]>();
  let counted = 0;
  const period: { key: string; times: [day: number, second: number][] } = { key: "", times: [] };
  const endPeriod = () => {
    const { times } = period;
    const chosen = rule.BYSETPOS
      ? times.filter((_, index) =>
          rule.BYSETPOS?.some((at) => at === index + 1 || at === index - times.length),
        )
      : times;
    for (const [day, second] of chosen) {
      if (day < begin || (day === begin && second < firstSecond)) continue;
      if (day * 86_400 + second > last || (rule.COUNT !== undefined && counted >= rule.COUNT)) continue;
      counted += 1;
      if (day < from || day > to) continue;
      if (!found.has(day)) found.set(day, []);
      found.get(day)?.push(second);
    }
    period.times = [];
  };
  // Whole periods: BYSETPOS counts from their beginnings and ends.
  for (let day = Math.min(begin, from) - 400; day <= to + 400; day += 1) {
    const reach =
      rule.FREQ === "YEARLY" ? 366 : rule.FREQ === "MONTHLY" ? 31 : rule.FREQ === "WEEKLY" ? 7 : 0;
    if (day < begin - reach || day > to + reach || !isDayOf(rule, anchor, day)) continue;
    for (const second of secondsOf(rule, anchor, day)) {
      const key = periodOf(rule, day, second);
      if (key !== period.key) endPeriod();
      period.key = key;
      period.times.push([day, second]);
    }
  }
  endPeriod();
  return found;
}

function lastSecond(until: PlainRule["UNTIL"], offset: number): number {
  if (until === undefined) return Number.POSITIVE_INFINITY;
  if (until.form === "date") return until.day * 86_400 + 86_399;
  const isDate = until.second === 0 || until.second === 86_399;
  return until.day * 86_400 + until.second + (until.form === "instant" && !isDate ? offset : 0);
}

function dateOf(day: number): Date {
  return new Date(day * 86_400_000);
}

function weekdayOf(day: number): number {
  return (dateOf(day).getUTCDay() + 6) % 7;
}

function isDayOf(rule: PlainRule, anchor: PlainAnchor | undefined, day: number): boolean {
  const { FREQ, INTERVAL = 1, BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY, WKST = 0 } = rule;
  const [date, start] = [dateOf(day), dateOf(anchor?.day ?? 0)];
  const month = date.getUTCMonth() + 1;
  const namesDay = [BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY].some((part) => part !== undefined);
  if (!namesDay && FREQ === "WEEKLY" && date.getUTCDay() !== start.getUTCDay()) return false;
  if (!namesDay && /MONTHLY|YEARLY/.test(FREQ) && date.getUTCDate() !== start.getUTCDate()) return false;
  if (!namesDay && FREQ === "YEARLY" && !BYMONTH && date.getUTCMonth() !== start.getUTCMonth()) return false;
  if (BYMONTH && !BYMONTH.includes(month)) return false;
  if (BYMONTHDAY && !countPositions(day, isSameMonth).some((place) => BYMONTHDAY.includes(place)))
    return false;
  if (BYYEARDAY && !countPositions(day, isSameYear).some((place) => BYYEARDAY.includes(place))) return false;
  if (BYWEEKNO && !weekNumbers(day, WKST).some((number) => BYWEEKNO.includes(number))) return false;
  const isCounted = FREQ === "MONTHLY" || BYMONTH ? isSameMonth : isSameYear;
  const isNamed = ({ number, weekday }: { number: number; weekday: number }) =>
    weekday === weekdayOf(day) &&
    (number === 0 ||
      countPositions(
        day,
        (one, other) => isCounted(one, other) && weekdayOf(one) === weekdayOf(other),
      ).includes(number));
  if (BYDAY && !BYDAY.some(isNamed)) return false;
  const span = { YEARLY: isSameYear, MONTHLY: isSameMonth, WEEKLY: isSameWeek(WKST), DAILY: isSameDay };
  const isSame = span[FREQ as keyof typeof span];
  return !isSame || !anchor || INTERVAL === 1 || spansBetween(anchor.day, day, isSame) % INTERVAL === 0;
}

type IsSame = (one: number, other: number) => boolean;
const isSameDay: IsSame = (one, other) => one === other;
const isSameYear: IsSame = (one, other) => dateOf(one).getUTCFullYear() === dateOf(other).getUTCFullYear();
const isSameMonth: IsSame = (one, other) =>
  isSameYear(one, other) && dateOf(one).getUTCMonth() === dateOf(other).getUTCMonth();
const isSameWeek =
  (weekStart: number): IsSame =>
  (one, other) =>
    weekBegin(one, weekStart) === weekBegin(other, weekStart);

function weekBegin(day: number, weekStart: number): number {
  return weekdayOf(day) === weekStart ? day : weekBegin(day - 1, weekStart);
}

/** Position among similar days of the period, from the first (1) and from the last (-1). */
function countPositions(day: number, isLike: IsSame): [number, number] {
  const reach = isLike === isSameMonth ? 31 : 366;
  let [before, behind] = [0, 0];
  for (let other = day - reach; other <= day + reach; other += 1) {
    if (!isLike(day, other)) continue;
    if (other < day) before += 1;
    if (other > day) behind += 1;
  }
  return [before + 1, -1 - behind];
}

/** A week belongs to the year of its fourth day. */
function weekNumbers(day: number, weekStart: number): [number, number] {
  const yearOf = (begin: number) => dateOf(begin + 3).getUTCFullYear();
  const own = weekBegin(day, weekStart);
  let [before, behind] = [0, 0];
  for (let begin = own - 7; yearOf(begin) === yearOf(own); begin -= 7) before += 1;
  for (let begin = own + 7; yearOf(begin) === yearOf(own); begin += 7) behind += 1;
  return [before + 1, -1 - behind];
}

function spansBetween(from: number, to: number, isSame: IsSame): number {
  let spans = 0;
  for (let day = Math.min(from, to); day < Math.max(from, to); day += 1)
    if (!isSame(day, day + 1)) spans += 1;
  return spans;
}

function secondsOf(rule: PlainRule, anchor: PlainAnchor | undefined, day: number): number[] {
  const { FREQ, INTERVAL = 1 } = rule;
  const start = anchor?.second ?? 0;
  const step = { HOURLY: 3600, MINUTELY: 60, SECONDLY: 1 }[FREQ as string];
  const allowed = (part: number[] | undefined, own: number, isFree: boolean, count: number) =>
    [...Array(count).keys()].filter((one) => (part ? part.includes(one) : isFree || one === own));
  const hours = allowed(rule.BYHOUR, Math.floor(start / 3600), step !== undefined, 24);
  const minutes = allowed(rule.BYMINUTE, Math.floor(start / 60) % 60, step !== undefined && step < 3600, 60);
  const seconds = allowed(rule.BYSECOND, start % 60, step === 1, 60);
  const steps = (second: number) => Math.floor((day * 86_400 + second) / (step ?? 1));
  const from = anchor === undefined ? 0 : Math.floor((anchor.day * 86_400 + start) / (step ?? 1));
  return hours
    .flatMap((hour) => minutes.flatMap((minute) => seconds.map((one) => hour * 3600 + minute * 60 + one)))
    .filter((second) => step === undefined || (steps(second) - from) % INTERVAL === 0);
}

function periodOf({ FREQ, WKST = 0 }: PlainRule, day: number, second: number): string {
  const date = dateOf(day).toISOString();
  switch (FREQ) {
    case "YEARLY":
      return date.slice(0, 4);
    case "MONTHLY":
      return date.slice(0, 7);
    case "WEEKLY":
      return String(weekBegin(day, WKST));
    case "DAILY":
      return String(day);
    case "HOURLY":
      return `${day} ${Math.floor(second / 3600)}`;
    case "MINUTELY":
      return `${day} ${Math.floor(second / 60)}`;
    case "SECONDLY":
      return `${day} ${second}`;
  }
}
