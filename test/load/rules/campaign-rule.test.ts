import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expandRule, type RulePeriod } from "../../../src/load/rules/campaign-rule.ts";
import { isSoak } from "../../support/long-suite.ts";
import { readExpandedRules } from "./expanded-rules.ts";
import { datesInZone, timesInZone } from "./in-zone.ts";

/** From Monday, 2026-01-05. */
const january = { startDate: "2026-01-05", from: "2026-01-01", to: "2026-01-31" };

/** Days of January 2026, other dates as `2026-02-03`. */
function datesOf(rule: string, period: Partial<RulePeriod> = january): string {
  const expanded = expandRule(rule, { from: january.from, to: january.to, ...period });
  if (!("dates" in expanded)) return JSON.stringify(expanded);
  return expanded.dates.map(({ date }) => date.replace(/^2026-01-/, "")).join(" ");
}

/** The digest of `expand_with_dateutil.py`. */
function digestTimes(times: readonly number[] = []): string {
  return `${times.length} ${createHash("sha256").update(times.join()).digest("hex").slice(0, 12)}`;
}

it("2,000 generated rules have the dates that python-dateutil finds", () => {
  const rules = readExpandedRules();
  expect(rules).toHaveLength(2000);
  const some = rules.filter((_, index) => isSoak || index % 5 === 0);
  for (const { dates, times: _times, offsetMinutes = 0, ...rule } of some) {
    const found = datesInZone(expandRule(rule.rule, rule), offsetMinutes);
    expect({ ...rule, offsetMinutes, dates: found }).toEqual({ ...rule, offsetMinutes, dates });
  }
});

it("generated rules with times of day have the times that python-dateutil finds", () => {
  const rules = readExpandedRules().filter(({ times }) => times !== undefined);
  expect(rules.length).toBeGreaterThan(700);
  const some = rules.filter((_, index) => isSoak || index % 5 === 0);
  for (const { dates: _dates, times, offsetMinutes = 0, ...rule } of some) {
    const expanded = expandRule(rule.rule, rule);
    const found = timesInZone(expanded, offsetMinutes);
    expect({ rule, times: [found.at(0), found.at(-1)].map(digestTimes) }).toEqual({ rule, times });
  }
});

it.each<[string, string, number[] | undefined]>([
  ["hours", "FREQ=WEEKLY;BYDAY=TU;BYHOUR=9,12", [32_400, 43_200]],
  ["minutes of the start's hour", "FREQ=DAILY;BYMINUTE=5,10", [300, 600]],
  ["each hour", "FREQ=HOURLY;INTERVAL=12", [0, 43_200]],
  ["each half hour of the morning", "FREQ=MINUTELY;INTERVAL=30;BYHOUR=8", [28_800, 30_600]],
  ["only a day", "FREQ=DAILY", undefined],
  ["only seconds", "FREQ=DAILY;BYSECOND=30", undefined],
  ["every second", "FREQ=SECONDLY;BYHOUR=9", undefined],
  ["the first of a minute", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0,1;BYSECOND=15,30", [32_415, 32_475]],
])("names times of day: %s", (_label, rule, times) => {
  const expanded = expandRule(rule, january);
  expect("dates" in expanded && expanded.dates.find(({ date }) => date === "2026-01-06")?.times).toEqual(
    times,
  );
});

it("times of day end with COUNT", () => {
  const expanded = expandRule("FREQ=HOURLY;INTERVAL=6;COUNT=6", january);
  expect("dates" in expanded && expanded.dates.map(({ times }) => times)).toEqual([
    [0, 21_600, 43_200, 64_800],
    [0, 21_600],
  ]);
});

describe("a rule's text", () => {
  it.each([
    ["plain", "FREQ=WEEKLY;BYDAY=MO"],
    ["with a prefix", "RRULE:FREQ=WEEKLY;BYDAY=MO"],
    ["in small letters", "rrule:freq=weekly;byday=mo"],
    ["with blanks", "\t RRULE : FREQ = WEEKLY ; BYDAY = MO \r\n"],
    ["with empty parts", "FREQ=WEEKLY;;BYDAY=MO;"],
    ["in another order", "BYDAY=MO;FREQ=WEEKLY"],
    ["with a folded line", "RRULE:FREQ=WEEKLY;BYD\r\n AY=MO"],
    ["on several lines", "FREQ=WEEKLY\nBYDAY=MO"],
    ["with a plus", "FREQ=MONTHLY;BYDAY=+1MO,2MO,3MO,4MO,5MO"],
  ])("%s", (_label, rule) => {
    expect(datesOf(rule)).toBe("05 12 19 26");
  });

  it.each(["", "  ", "RRULE:", "\n", ";"])("an empty one (%j) applies every day", (rule) => {
    expect(expandRule(rule, january)).toEqual({ everyDay: true });
  });
});

describe("the anchor", () => {
  it.each([
    ["a line", "DTSTART:20260107T090000\nRRULE:FREQ=DAILY;INTERVAL=10"],
    ["a line, its end written as two characters", "DTSTART:20260107\\nRRULE:FREQ=DAILY;INTERVAL=10"],
    [
      "with a time zone, which is dropped",
      "DTSTART;TZID=Asia/Tokyo:20260107T010000 RRULE:FREQ=DAILY;INTERVAL=10",
    ],
    [
      "with a quoted time zone",
      'DTSTART;TZID="(UTC+01:00) Amsterdam; Berlin":20260107T090000\nRRULE:FREQ=DAILY;INTERVAL=10',
    ],
    [
      "with several parameters, some quoted",
      'DTSTART;VALUE=DATE-TIME;X-A="1:2";TZID=W. Europe Standard Time:20260107T010000 RRULE;X-B=":;":FREQ=DAILY;INTERVAL=10',
    ],
    ["with a Z, which is dropped", "DTSTART:20260107T235959Z\nFREQ=DAILY;INTERVAL=10"],
    ["a date", "DTSTART;VALUE=DATE:20260107\nRRULE:FREQ=DAILY;INTERVAL=10"],
    ["a part", "FREQ=DAILY;DTSTART=2026-01-07T09:00:00;INTERVAL=10"],
  ])("is an embedded DTSTART before start_date: %s", (_label, rule) => {
    expect(datesOf(rule)).toBe("07 17 27");
  });

  it.each<[string, Partial<RulePeriod>, string]>([
    ["start_date before add_date", { startDate: "2026-01-06", addDate: "2026-01-01" }, "06 16 26"],
    ["add_date, on which it does not yet run", { addDate: "2026-01-01" }, "11 21 31"],
    ["add_date where start_date is empty", { startDate: "", addDate: "2026-01-01" }, "11 21 31"],
    ["add_date where start_date is zero", { startDate: "0000-00-00", addDate: "2026-01-01" }, "11 21 31"],
    ["add_date where start_date means none", { startDate: "0001-01-01", addDate: "2026-01-01" }, "11 21 31"],
    ["in the far past", { startDate: "0002-01-01" }, "10 20 30"],
    ["after the period", { startDate: "2026-02-01" }, ""],
  ])("is %s", (_label, period, dates) => {
    expect(datesOf("FREQ=DAILY;INTERVAL=10", period)).toBe(dates);
  });

  it.each([
    "00000000",
    "00010101",
    "00010101T000000Z",
    "0001-01-01T00:00:00",
    "19691231T160000",
    "19700101T010000",
  ])("is start_date if DTSTART means none: %s", (dtStart) => {
    expect(datesOf(`DTSTART:${dtStart}\nRRULE:FREQ=DAILY;INTERVAL=10;COUNT=2`)).toBe("05 15");
    expect(datesOf(`FREQ=WEEKLY;DTSTART=${dtStart}`)).toBe("05 12 19 26");
    expect(
      expandRule(`DTSTART:${dtStart}\nRRULE:FREQ=HOURLY;COUNT=1`, { ...january, startDate: "" }),
    ).toEqual({ error: "COUNT needs a start_date to count from" });
  });

  it("supplies the days that a rule does not name", () => {
    expect(datesOf("FREQ=WEEKLY")).toBe("05 12 19 26");
    expect(datesOf("FREQ=MONTHLY", { startDate: "2025-10-31", to: "2026-04-30" })).toBe("31 2026-03-31");
    expect(datesOf("FREQ=YEARLY", { startDate: "2024-02-29", to: "2029-01-01" })).toBe("2028-02-29");
    expect(datesOf("FREQ=YEARLY;BYMONTH=1,2", { startDate: "2024-01-15", to: "2026-12-31" })).toBe(
      "15 2026-02-15",
    );
  });

  it.each([
    ["MO", "06 11 20 25"],
    ["SU", "04 06 18 20"],
  ])("starts weeks by WKST: every second one by %s", (weekStart, dates) => {
    const rule = `FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=${weekStart}`;
    expect(datesOf(rule, { startDate: "2025-12-23" })).toBe(dates);
  });

  it("is not needed by a rule that names its days", () => {
    expect(datesOf("FREQ=WEEKLY;BYDAY=MO", {})).toBe("05 12 19 26");
    expect(datesOf("FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=-1;UNTIL=20260201", {})).toBe("31");
    expect(datesOf("FREQ=HOURLY;BYDAY=SU", {})).toBe("04 11 18 25");
  });
});

describe("COUNT limits occurrences", () => {
  it.each([
    ["", "FREQ=DAILY;COUNT=3", "05 06 07"],
    ["the anchor only if the rule occurs on it", "FREQ=WEEKLY;BYDAY=TU;COUNT=2", "06 13"],
    ["each time of a date", "FREQ=DAILY;BYHOUR=9,12,17;COUNT=3", "05"],
    ["also if the last is within a date", "FREQ=DAILY;BYHOUR=9,12,17;COUNT=4", "05 06"],
    ["hours", "FREQ=HOURLY;COUNT=24", "05"],
    ["hours, into the next day", "FREQ=HOURLY;COUNT=25", "05 06"],
    ["hours, two times each", "FREQ=HOURLY;BYMINUTE=0,30;COUNT=49", "05 06"],
    ["minutes, in the morning", "FREQ=MINUTELY;BYHOUR=3;COUNT=121", "05 06 07"],
    ["seconds", "FREQ=SECONDLY;COUNT=86401;BYDAY=SA", "10 17"],
    [
      "one position that BYSETPOS names twice once",
      "FREQ=MONTHLY;BYDAY=TU,SU;BYSETPOS=1,-8,2;COUNT=3",
      "06 2026-02-01 2026-02-03",
    ],
    ["one time that BYSETPOS names twice once", "FREQ=DAILY;BYHOUR=9,12;BYSETPOS=1,-2;COUNT=2", "05 06"],
    ["a leap second as the one before it", "FREQ=DAILY;BYSECOND=59,60;COUNT=2", "05 06"],
    ["not times before DTSTART's", "DTSTART:20260105T100000\nRRULE:FREQ=DAILY;BYHOUR=9;COUNT=2", "06 07"],
    [
      "times of DTSTART's day from its time on",
      "DTSTART:20260105T220000\nRRULE:FREQ=HOURLY;COUNT=3",
      "05 06",
    ],
  ])("%s: %s", (_label, rule, dates) => {
    expect(datesOf(rule, { ...january, to: "2026-02-03" })).toBe(dates);
  });

  it.each([
    ["", "FREQ=DAILY;COUNT=3", "02 03 04"],
    ["hours", "FREQ=HOURLY;COUNT=24", "02"],
    ["every 36 hours", "FREQ=HOURLY;INTERVAL=36;COUNT=2", "02 04"],
    ["every second day, as counted from add_date", "FREQ=DAILY;INTERVAL=2;COUNT=2", "03 05"],
    ["the weekday of add_date", "FREQ=WEEKLY;COUNT=2", "08 15"],
    ["from DTSTART nevertheless", "DTSTART:20251231\nRRULE:FREQ=DAILY;COUNT=3", "01 02"],
  ])("from the day after add_date without a start_date%s: %s", (_label, rule, dates) => {
    expect(datesOf(rule, { addDate: "2026-01-01" })).toBe(dates);
  });

  it("from DTSTART even if start_date is later", () => {
    expect(datesOf("DTSTART:20260101\nRRULE:FREQ=DAILY;COUNT=7")).toBe("01 02 03 04 05 06 07");
  });

  it("including those before the period", () => {
    expect(datesOf("FREQ=DAILY;COUNT=10", { startDate: "2025-12-25" })).toBe("01 02 03");
    expect(datesOf("FREQ=DAILY;COUNT=10", { startDate: "2001-01-01" })).toBe("");
  });
});

describe("UNTIL", () => {
  it.each([
    ["a date, inclusive, all its hours", "UNTIL=20260107;BYHOUR=23", "05 06 07"],
    ["a date with Z, which is local", "UNTIL=20260107Z;BYHOUR=23", "05 06 07"],
    ["a time", "UNTIL=20260107T120000;BYHOUR=23", "05 06"],
    ["a day's last second with Z, which is local", "UNTIL=20260107T235959Z;BYHOUR=23", "05 06 07"],
    ["a leap second with Z, which is local", "UNTIL=20260107T235960Z;BYHOUR=23", "05 06 07"],
    ["a day's first second with Z, which is local", "UNTIL=20260107T000000Z;BYHOUR=1", "05 06"],
    ["a time on a date with times before and after", "UNTIL=20260107T120000;BYHOUR=9,23", "05 06 07"],
    ["midnight, where the anchor has no time", "UNTIL=20260107T000000Z", "05 06 07"],
    ["with hyphens", "UNTIL=2026-01-07", "05 06 07"],
    ["before the anchor", "UNTIL=20260104", ""],
  ])("%s", (_label, until, dates) => {
    expect(datesOf(`FREQ=DAILY;${until}`)).toBe(dates);
    expect(expandRule(`FREQ=DAILY;${until}`, january)).not.toHaveProperty("untilAt");
  });

  it.each([
    "00000000",
    "00000000T000000",
    "00010101",
    "00010101T000000Z",
    "0001-01-01T00:00:00Z",
    "19700101T010000Z",
    "19691231T160000",
    "99991231",
    "99991231T235959Z",
    "99991231T230000Z",
  ])("that means no end: %s", (until) => {
    const { dates } = expandRule(`FREQ=DAILY;BYHOUR=9;UNTIL=${until}`, january) as { dates: unknown[] };
    expect(dates).toEqual((expandRule("FREQ=DAILY;BYHOUR=9", january) as { dates: unknown[] }).dates);
  });

  it("an instant: the dates that a zone may have, with a first time near the end", () => {
    const rule = "DTSTART:20260105T083000\nRRULE:FREQ=DAILY;BYHOUR=8,20;UNTIL=20260107T123015Z";
    const times = [30_600, 73_800];
    expect(expandRule(rule, january)).toEqual({
      dates: [
        { date: "2026-01-05", times },
        { date: "2026-01-06", firstSecond: 30_600, times },
        { date: "2026-01-07", firstSecond: 30_600, times },
        { date: "2026-01-08", firstSecond: 30_600, times },
      ],
      untilAt: "2026-01-07 12:30:15",
    });
  });

  it.each<[string, number, string, string]>([
    ["in UTC", 0, "UNTIL=20260107T120000Z;BYHOUR=12", "07"],
    ["one second earlier", 0, "UNTIL=20260107T115959Z;BYHOUR=12", "06"],
    ["a second past midnight, as written", 0, "UNTIL=20260107T000001Z;BYHOUR=0,9", "07"],
    ["a minute before midnight, as written", 0, "UNTIL=20260107T235900Z;BYHOUR=23", "07"],
    ["the end of January 7 in Tokyo, there", 540, "UNTIL=20260107T145959Z;BYHOUR=23", "07"],
    ["the end of January 7 in Tokyo, in New York", -300, "UNTIL=20260107T145959Z;BYHOUR=23", "06"],
    ["the end of January 6 in New York, there", -300, "UNTIL=20260107T045959Z", "06"],
    ["the end of January 6 in New York, in Tokyo", 540, "UNTIL=20260107T045959Z", "07"],
    ["in a zone whose next day has begun", 840, "UNTIL=20260107T120000Z;BYHOUR=2", "08"],
    ["in a zone before the hour on its next day", 840, "UNTIL=20260107T115959Z;BYHOUR=2", "07"],
    ["in a zone whose previous day has not ended", -720, "UNTIL=20260107T110000Z;BYHOUR=23", "06"],
    ["in a zone before the hour on its previous day", -720, "UNTIL=20260107T105959Z;BYHOUR=23", "05"],
  ])("an instant, %s", (_label, offsetMinutes, rest, last) => {
    const dates = datesInZone(expandRule(`FREQ=DAILY;${rest}`, january), offsetMinutes);
    expect(Array.isArray(dates) && dates.at(-1)).toBe(`2026-01-${last}`);
  });
});

describe("hours", () => {
  it.each([
    ["every hour", "FREQ=HOURLY;UNTIL=20260107T030000", "05 06 07"],
    ["every 36 hours", "FREQ=HOURLY;INTERVAL=36;UNTIL=20260110", "05 06 08 09"],
    ["hours that INTERVAL never reaches", "FREQ=HOURLY;INTERVAL=2;BYHOUR=9", ""],
    ["every 1,500 minutes, in the morning", "FREQ=MINUTELY;INTERVAL=1500;BYHOUR=3,4", "08 09"],
    ["seconds through a year", "FREQ=SECONDLY;BYMONTHDAY=7,8", "07 08"],
    ["a third time that a day doesn't have", "FREQ=DAILY;BYHOUR=9,12;BYSETPOS=3", ""],
    ["the week's third time", "FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=9,12;BYSETPOS=3", "06 13 20 27"],
    ["the week's last time", "FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=9,12;BYSETPOS=-1", "06 13 20 27"],
    ["seconds through a year, on a few days", "FREQ=SECONDLY;INTERVAL=86400;COUNT=2", "05 06"],
    ["the second of one minute in an hour", "FREQ=HOURLY;BYMINUTE=5;BYSETPOS=2", ""],
  ])("%s", (_label, rule, dates) => {
    expect(datesOf(rule)).toBe(dates);
  });

  it("skipped by a spring change still count", () => {
    const spring = { startDate: "2026-03-28", from: "2026-03-28", to: "2026-03-30" };
    for (const zone of ["", ";TZID=Europe/Berlin"]) {
      const rule = `DTSTART${zone}:20260328T023000\nRRULE:FREQ=DAILY;BYHOUR=2`;
      expect(expandRule(rule, spring)).toEqual({
        dates: ["2026-03-28", "2026-03-29", "2026-03-30"].map((date) => ({ date, times: [9000] })),
      });
    }
  });
});

describe("a weekday that occurs less often in a year or month is not taken from the next", () => {
  // 2026 has 53 Thursdays, all other years 52; 2028 has 53 Sundays.
  it.each([
    ["FREQ=YEARLY;BYDAY=53TH", "2026-12-31"],
    ["FREQ=YEARLY;BYDAY=-53TH", "2026-01-01"],
    ["FREQ=YEARLY;BYDAY=53TH;INTERVAL=2", ""],
    ["FREQ=YEARLY;BYDAY=53TH,1FR;BYSETPOS=1", "2025-01-03 2026-01-02 2027-01-01 2028-01-07"],
    ["FREQ=YEARLY;BYDAY=53TH,1FR;BYSETPOS=-1", "2025-01-03 2026-12-31 2027-01-01 2028-01-07"],
    ["FREQ=YEARLY;BYDAY=52SU,53SU;BYSETPOS=1", "2025-12-28 2026-12-27 2027-12-26 2028-12-24"],
    ["FREQ=YEARLY;BYDAY=52SU,53SU;BYSETPOS=2", "2028-12-31"],
    ["FREQ=YEARLY;BYDAY=-52SU,-53SU;BYSETPOS=1", "2025-01-05 2026-01-04 2027-01-03 2028-01-02"],
    ["FREQ=YEARLY;BYMONTH=2;BYDAY=5SA,5SU", ""],
    ["FREQ=YEARLY;BYMONTH=2;BYDAY=5TU,-5TU,53TU", "2028-02-01 2028-02-29"],
    ["FREQ=MONTHLY;BYMONTH=2;BYDAY=5SA,-5SU", ""],
    ["FREQ=MONTHLY;BYDAY=6FR,53MO,-6SA", ""],
    [
      "FREQ=MONTHLY;BYMONTH=2,3;BYDAY=5SU,1MO;BYSETPOS=-1",
      "2025-02-03 2025-03-30 2026-02-02 2026-03-29 2027-02-01 2027-03-01 2028-02-07 2028-03-06",
    ],
  ])("%s", (rule, dates) => {
    expect(datesOf(rule, { startDate: "2025-01-01", from: "2025-01-01", to: "2028-12-31" })).toBe(
      dates.replace(/2026-01-/g, ""),
    );
  });
});

describe("errors", () => {
  it.each([
    ["FREQ=SOMETIMES", 'unknown FREQ "SOMETIMES"'],
    ["FREQ=DAILY;COUNT", '"COUNT" is not NAME=VALUE'],
    ["x".repeat(41), `"${"x".repeat(40)}…" is not NAME=VALUE`],
    ["BYDAY=MO", "no FREQ"],
    ["DTSTART:20260105", "DTSTART without a rule"],
    ["DTSTART:20260105\nDTSTART:20260106\nRRULE:FREQ=DAILY", "the rule has two DTSTART values"],
    [
      "DTSTART:20260230\nRRULE:FREQ=DAILY",
      'DTSTART "20260230" is neither a date (YYYYMMDD) nor a time (YYYYMMDDTHHMMSS)',
    ],
    ["FREQ=DAILY\nRRULE:FREQ=WEEKLY", "the rule has two FREQ values"],
    ["VEVENT:FREQ=DAILY", '"VEVENT:FREQ=DAILY" is not a rule'],
    ["FREQ=DAILY\nEXDATE:20260107", "EXDATE is not supported"],
    ["FREQ=DAILY;BYEASTER=1", "unknown part BYEASTER"],
    ["FREQ=", "FREQ has no value"],
    ["FREQ=DAILY;COUNT=0", "COUNT=0 is not a whole number of at least 1"],
    ["FREQ=DAILY;INTERVAL=0", "INTERVAL=0 is not a whole number of at least 1"],
    ["FREQ=DAILY;COUNT=2;UNTIL=20260107", "COUNT and UNTIL are mutually exclusive"],
    [
      "FREQ=DAILY;UNTIL=tomorrow",
      'UNTIL "TOMORROW" is neither a date (YYYYMMDD) nor a time (YYYYMMDDTHHMMSS)',
    ],
    [
      "FREQ=DAILY;UNTIL=20260107T250000Z",
      'UNTIL "20260107T250000Z" is neither a date (YYYYMMDD) nor a time (YYYYMMDDTHHMMSS)',
    ],
    ["FREQ=DAILY;BYHOUR=24", 'BYHOUR: "24" is not 0 to 23'],
    ["FREQ=DAILY;BYMINUTE=60", 'BYMINUTE: "60" is not 0 to 59'],
    ["FREQ=DAILY;BYMONTH=13", 'BYMONTH: "13" is not 1 to 12'],
    ["FREQ=MONTHLY;BYMONTHDAY=0", 'BYMONTHDAY: "0" is not 1 to 31 or -1 to -31'],
    ["FREQ=WEEKLY;BYDAY=MONDAY", 'BYDAY: "MONDAY" is not a day such as MO, 2TU or -1FR'],
    ["FREQ=YEARLY;BYDAY=54MO", 'BYDAY: "54MO" is not a day such as MO, 2TU or -1FR'],
    ["FREQ=WEEKLY;WKST=XX", 'WKST "XX" is not a day such as MO'],
    ["FREQ=WEEKLY;BYDAY=1MO", "a numbered BYDAY cannot be used with FREQ=WEEKLY"],
    ["FREQ=YEARLY;BYWEEKNO=2;BYDAY=1MO", "a numbered BYDAY cannot be used with BYWEEKNO"],
    ["FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY cannot be used with FREQ=WEEKLY"],
    ["FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO cannot be used with FREQ=MONTHLY"],
    ["FREQ=DAILY;BYYEARDAY=1", "BYYEARDAY cannot be used with FREQ=DAILY"],
    ["FREQ=DAILY;BYSETPOS=1", "BYSETPOS needs another BY part"],
  ])("%j: %s", (rule, error) => {
    expect(expandRule(rule, january)).toEqual({ error });
  });

  it.each([
    ["FREQ=DAILY;COUNT=3", "COUNT needs a start_date to count from"],
    ["FREQ=HOURLY;INTERVAL=2", "INTERVAL=2 needs a start_date to count from"],
    ["FREQ=WEEKLY", "FREQ=WEEKLY needs a day, or a start_date to take it from"],
    ["FREQ=YEARLY;BYMONTH=2", "FREQ=YEARLY needs a day, or a start_date to take it from"],
  ])("without any anchor, %s: %s", (rule, error) => {
    expect(expandRule(rule, { startDate: "", from: january.from, to: january.to })).toEqual({ error });
  });

  it("of an invalid start_date", () => {
    expect(expandRule("FREQ=DAILY", { ...january, startDate: "soon" })).toEqual({
      error: 'start_date "soon" is not a date (YYYY-MM-DD)',
    });
  });
});
