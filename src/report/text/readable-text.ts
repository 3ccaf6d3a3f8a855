/** Created once, when needed, because creating it takes a hundred times as long as using it. */
let grouped: Intl.NumberFormat | undefined;

/** E.g. `1,234,567`. */
export function formatCount(value: number | bigint): string {
  grouped ??= new Intl.NumberFormat("en-US");
  return grouped.format(value);
}

/** E.g. `1 zone`, `1,204 zones`. */
export function formatQuantity(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** For axes, e.g. `40 k`, `1.2 M`. */
export function formatShortCount(value: number): string {
  const units: [number, string][] = [
    [1e9, " G"],
    [1e6, " M"],
    [1e3, " k"],
  ];
  const [size, unit] = units.find(([limit]) => Math.abs(value) >= limit) ?? [1, ""];
  return `${Number((value / size).toFixed(1))}${unit}`;
}

/** Non-breaking space between a number and its unit. */
const nbsp = "\u00a0";

/**
 * Formats a duration in its two largest units, e.g. `12 h 30 min`, `45 s`. Hours are not converted to days.
 */
export function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? "-" : "";
  const whole = Math.round(Math.abs(seconds));
  if (whole < 60) return `${sign}${whole}${nbsp}s`;
  if (whole < 3600) return `${sign}${Math.floor(whole / 60)}${nbsp}min ${whole % 60}${nbsp}s`;
  return `${sign}${formatCount(Math.floor(whole / 3600))}${nbsp}h ${Math.floor((whole % 3600) / 60)}${nbsp}min`;
}

/** Formats seconds after midnight, e.g. `07:30`. */
export function formatClock(seconds: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${part(seconds / 3600)}:${part((seconds % 3600) / 60)}`;
}

/** E.g. `980 B`, `10.2 MB`. */
export function formatSize(bytes: number): string {
  const units: [number, string][] = [
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
  ];
  const [size, unit] = units.find(([limit]) => bytes >= limit) ?? [1, "B"];
  return `${Number((bytes / size).toFixed(1))}${nbsp}${unit}`;
}

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** `2026-11-20` → `20 November 2026`. */
export function formatDay(date: string): string {
  const [year, month, day] = date.split("-");
  return `${Number(day)} ${monthNames[Number(month) - 1]} ${year}`;
}

/** `2026-11-20` → `20 Nov`; others: `2026-W47` → `W47 ’26`, `2026-Q4` → `Q4 ’26`, `2026-11` → `Nov ’26`. */
export function formatShortSpan(span: string): string {
  const [year = "", part = "", day] = span.split("-");
  if (day !== undefined) return formatShortDay(span);
  return `${/^[WQ]/.test(part) ? part : monthNames[Number(part) - 1]?.slice(0, 3)} ’${year.slice(2)}`;
}

/** `2026-11-20` → `20 Nov`. */
export function formatShortDay(date: string): string {
  const [, month, day] = date.split("-");
  return `${Number(day)} ${monthNames[Number(month) - 1]?.slice(0, 3)}`;
}

/** E.g. `from 24 October to 20 November 2026`; `on 20 November 2026` for one day. */
export function formatPeriod({ from, to }: { from: string; to: string }): string {
  if (from === to) return `on ${formatDay(to)}`;
  return `from ${formatDayInYear(from, to)} to ${formatDay(to)}`;
}

/** Formats a day without its year if `other` has the same year, e.g. `20 November`. */
export function formatDayInYear(date: string, other: string): string {
  return date.slice(0, 4) === other.slice(0, 4) ? formatDay(date).slice(0, -5) : formatDay(date);
}

/** `2026-11-21T04:10:00Z` → `21 November 2026, 04:10 UTC`. */
export function formatMoment(instant: string): string {
  return `${formatDay(instant.slice(0, 10))}, ${instant.slice(11, 16)} UTC`;
}

/** Compares two counts, e.g. `4.2 % more than`; `undefined` if the previous one is 0. */
export function compareCounts(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  if (now === before) return "as many as";
  return `${formatRelativeChange(now - before, before)} ${now > before ? "more" : "fewer"} than`;
}

/** Formats a relative change, e.g. `4.2 %`. A change just under 100 % becomes 99.9 %, and a tiny one 0.1 %. */
export function formatRelativeChange(change: number, before: number): string {
  const percent = Math.abs(change / before) * 100;
  const amount = percent >= 999.5 ? formatCount(Math.round(percent)) : percent.toFixed(1);
  if (amount === "100.0" && percent < 100) return "99.9 %";
  return `${amount === "0.0" ? "0.1" : amount} %`;
}

/** Formats a difference of ratios with more digits than ratios, e.g. `1.23 percentage points`. */
export function formatPoints(difference: number, unit = "percentage points"): string {
  const points = (difference * 100).toFixed(2);
  return `${points === "0.00" ? "0.01" : points}${nbsp}${unit}`;
}

/** Joins words as in a sentence: `a, b and c`; beyond `most`, `a, b, c and 4 more`. */
export function joinWords(
  words: readonly string[],
  conjunction: "and" | "or",
  most = Number.POSITIVE_INFINITY,
): string {
  const parts =
    words.length > most ? [...words.slice(0, most), `${formatCount(words.length - most)} more`] : words;
  const [last = "", ...before] = [...parts].reverse();
  return before.length === 0 ? last : `${before.reverse().join(", ")} ${conjunction} ${last}`;
}
