import fc from "fast-check";
import { expect, it } from "vitest";
import { expandRule } from "../../../src/load/rules/campaign-rule.ts";
import { share } from "../../support/long-suite.ts";
import { datesInZone, timesInZone } from "./in-zone.ts";
import { expandNaively, type PlainAnchor, type PlainRule, writeRule } from "./plain-expander.ts";

const dayMs = 86_400_000;
const firstDay = Date.UTC(2024, 0, 1) / dayMs;

/** Days for which a rule is expanded, and how long before them it may begin: the plain expansion is slow. */
const reaches: Record<PlainRule["FREQ"], number> = {
  YEARLY: 1000,
  MONTHLY: 400,
  WEEKLY: 150,
  DAILY: 100,
  HOURLY: 40,
  MINUTELY: 4,
  SECONDLY: 2,
};

interface GeneratedCase {
  rule: PlainRule;
  anchor: PlainAnchor | undefined;
  from: number;
  to: number;
  offsetMinutes: number;
}

const signed = (most: number) =>
  fc.oneof(fc.integer({ min: 1, max: most }), fc.integer({ min: -most, max: -1 }));
const list = (most: number, one: fc.Arbitrary<number>) => fc.array(one, { minLength: 1, maxLength: most });
const maybe = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const weekday = fc.nat({ max: 6 });
const secondOfDay = fc.oneof(
  fc.constantFrom(0, 86_399),
  fc.nat({ max: 23 }).map((hour) => hour * 3600),
  fc.nat({ max: 86_399 }),
);

/** Valid rules: combinations that RFC 5545 forbids are left out. */
const arbitraryCase: fc.Arbitrary<GeneratedCase> = fc
  .constantFrom(...(Object.keys(reaches) as PlainRule["FREQ"][]))
  .chain((FREQ) => {
    const reach = reaches[FREQ];
    const isLong = FREQ === "YEARLY" || FREQ === "MONTHLY";
    const none = fc.constant(undefined);
    const most = FREQ === "MONTHLY" ? 6 : 54;
    return fc
      .record({
        offsetMinutes: fc.constantFrom(0, -720, -300, 330, 840),
        from: fc.nat({ max: 1500 }).map((days) => firstDay + days),
        days: fc.integer({ min: 0, max: reach }),
        anchor: fc.option(
          fc.record({
            before: fc.integer({ min: -20, max: reach }),
            second: secondOfDay,
            isAdded: fc.boolean(),
          }),
          { nil: undefined, freq: 5 },
        ),
        until: maybe(
          fc.record({
            after: fc.integer({ min: -2, max: reach }),
            second: secondOfDay,
            form: fc.constantFrom("date", "local", "instant"),
          }),
        ),
        COUNT: maybe(fc.integer({ min: 1, max: FREQ === "SECONDLY" ? 100_000 : 400 })),
        INTERVAL: maybe(
          fc.integer({ min: 1, max: { HOURLY: 30, MINUTELY: 200, SECONDLY: 90_000 }[FREQ as string] ?? 6 }),
        ),
        BYMONTH: maybe(list(4, fc.integer({ min: 1, max: 12 }))),
        BYWEEKNO: FREQ === "YEARLY" ? maybe(list(4, signed(53))) : none,
        BYYEARDAY: /DAILY|WEEKLY|MONTHLY/.test(FREQ) ? none : maybe(list(12, signed(366))),
        BYMONTHDAY: FREQ === "WEEKLY" ? none : maybe(list(8, signed(31))),
        BYDAY: maybe(
          fc.array(
            fc.record({
              number: isLong ? fc.oneof(fc.constant(0), signed(Math.min(most, 53))) : fc.constant(0),
              weekday,
            }),
            { minLength: 1, maxLength: 4 },
          ),
        ),
        BYHOUR: maybe(list(4, fc.nat({ max: 23 }))),
        BYMINUTE: maybe(list(3, fc.nat({ max: 59 }))),
        BYSECOND: maybe(list(2, fc.nat({ max: 59 }))),
        BYSETPOS: maybe(list(3, fc.oneof(signed(4), signed(366)))),
        WKST: maybe(weekday),
      })
      .map(({ offsetMinutes, from, days, anchor, until, ...parts }) => {
        const rule: PlainRule = { FREQ, ...parts };
        if (until) rule.UNTIL = { day: from + until.after, second: until.second, form: until.form };
        const { BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE, BYSECOND } = rule;
        if (BYWEEKNO && BYDAY) rule.BYDAY = BYDAY.map(({ weekday }) => ({ number: 0, weekday }));
        if (BYWEEKNO && !(BYDAY ?? BYMONTHDAY ?? BYYEARDAY)) rule.BYWEEKNO = undefined;
        if (rule.UNTIL || !anchor) rule.COUNT = undefined;
        if (!anchor) rule.INTERVAL = undefined;
        if (!(BYMONTH ?? rule.BYWEEKNO ?? BYYEARDAY ?? BYMONTHDAY ?? BYDAY ?? BYHOUR ?? BYMINUTE ?? BYSECOND))
          rule.BYSETPOS = undefined;
        const needsStart =
          /YEARLY|MONTHLY|WEEKLY/.test(FREQ) && !(rule.BYWEEKNO ?? BYYEARDAY ?? BYMONTHDAY ?? BYDAY);
        const given = anchor ?? (needsStart ? { before: 0, second: 0, isAdded: false } : undefined);
        return {
          rule,
          anchor: given && {
            day: from - given.before,
            // Only a DTSTART has a time.
            second: given.isAdded ? 0 : given.second,
            isAdded: given.isAdded,
          },
          from,
          to: from + days,
          offsetMinutes,
        };
      });
  });

function dateText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Expands it as in a listing: a start without a time is the campaign's start_date. */
function expand({ rule, anchor, from, to }: GeneratedCase) {
  const period = { from: dateText(from), to: dateText(to) };
  const text = writeRule(rule);
  if (!anchor) return expandRule(text, period);
  const { day, second, isAdded } = anchor;
  if (isAdded) return expandRule(text, { ...period, addDate: dateText(day) });
  if (second === 0) return expandRule(text, { ...period, startDate: dateText(day) });
  const start = new Date(day * dayMs + second * 1000).toISOString().replaceAll(/[-:]|\.000Z/g, "");
  return expandRule(`DTSTART:${start}\nRRULE:${text}`, period);
}

function firstOfMinutes(times: readonly number[]): number[] {
  return times.filter(
    (time) => !times.some((other) => other < time && Math.floor(other / 60) === Math.floor(time / 60)),
  );
}

it("any rule has the dates and times of a plain reference", () => {
  fc.assert(
    fc.property(arbitraryCase, (drawn) => {
      const { rule, anchor, from, to, offsetMinutes } = drawn;
      const told = expandNaively(rule, anchor, { from, to, untilOffset: offsetMinutes * 60 });
      const expanded = expand(drawn);
      const text = writeRule(rule);
      expect({ text, dates: datesInZone(expanded, offsetMinutes) }).toEqual({
        text,
        dates: [...told.keys()].map(dateText),
      });
      const namesTimes =
        /HOURLY|MINUTELY/.test(rule.FREQ) || (rule.FREQ !== "SECONDLY" && (rule.BYHOUR ?? rule.BYMINUTE));
      expect(timesInZone(expanded, offsetMinutes)).toEqual(
        namesTimes ? [...told.values()].map(firstOfMinutes) : [],
      );
    }),
    {
      numRuns: share(150, 400, 20_000),
      seed: 20261125,
    },
  );
});
