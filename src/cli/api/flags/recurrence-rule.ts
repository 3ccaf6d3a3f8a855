import { RRuleTemporal } from "rrule-temporal";

/** Parts of a rule (RFC 5545, section 3.3.10) whose values are whole numbers, with their greatest size. */
const numberParts: Record<string, { most: number; isNegativeToo?: true; least?: number; isOne?: true }> = {
  INTERVAL: { most: 999_999, least: 1, isOne: true },
  COUNT: { most: 999_999, least: 1, isOne: true },
  BYSECOND: { most: 60, least: 0 },
  BYMINUTE: { most: 59, least: 0 },
  BYHOUR: { most: 23, least: 0 },
  BYMONTH: { most: 12 },
  BYMONTHDAY: { most: 31, isNegativeToo: true },
  BYYEARDAY: { most: 366, isNegativeToo: true },
  BYWEEKNO: { most: 53, isNegativeToo: true },
  BYSETPOS: { most: 366, isNegativeToo: true },
};
const partNames = ["FREQ", "UNTIL", "BYDAY", "WKST", ...Object.keys(numberParts)];

/**
 * What is wrong with a recurrence rule, with or without `RRULE:` before it; `undefined` when nothing is. Ranges,
 * unknown and repeated parts are judged here, because the library passes over them; what the parts mean together,
 * by the library.
 */
export function checkRecurrenceRule(rule: string): string | undefined {
  const parts = rule.replace(/^RRULE:/i, "").split(";");
  const seen = new Set<string>();
  for (const part of parts) {
    const [, rawName = "", value = ""] = /^([A-Za-z]+)=([^=\s]+)$/.exec(part) ?? [];
    const name = rawName.toUpperCase();
    if (!partNames.includes(name)) return `${JSON.stringify(part)} is no part of a rule.`;
    if (seen.has(name)) return `${name} stands there twice.`;
    seen.add(name);
    const problem = name === "UNTIL" ? checkUntil(value) : checkNumbers(name, value);
    if (problem) return problem;
  }
  if (seen.has("COUNT") && seen.has("UNTIL")) return "COUNT and UNTIL exclude each other.";
  return checkWithLibrary(parts.join(";").toUpperCase());
}

function checkNumbers(name: string, value: string): string | undefined {
  const range = numberParts[name];
  if (!range) return undefined;
  const { most, isNegativeToo = false, least = 1, isOne = false } = range;
  const numbers = value.split(",");
  const isFine = numbers.every((text) => {
    const number = Number(text);
    const size = isNegativeToo ? Math.abs(number) : number;
    return /^[+-]?\d+$/.test(text) && size >= least && size <= most;
  });
  if (isFine && !(isOne && numbers.length > 1)) return undefined;
  return `${name}=${value} is out of range.`;
}

function checkUntil(value: string): string | undefined {
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/i.exec(value) ?? [];
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const instant = new Date(`${text}Z`);
  const isReal = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
  return isReal ? undefined : `UNTIL=${value} is no date (YYYYMMDD) and no time (YYYYMMDDTHHMMSSZ).`;
}

function checkWithLibrary(rule: string): string | undefined {
  // UNTIL has to be of the same form as the start; it has been checked already.
  const { UNTIL: _, ...rest } = Object.fromEntries(rule.split(";").map((part) => part.split("=")));
  const timeless = Object.entries(rest)
    .map(([name, value]) => `${name}=${value}`)
    .join(";");
  try {
    new RRuleTemporal({ rruleString: `DTSTART:20260101T000000Z\nRRULE:${timeless}`, strict: true });
    return undefined;
  } catch (error) {
    return `${(error as Error).message}.`;
  }
}
