import { expect, it } from "vitest";
import { formatAddress, toAddress } from "../../../src/report/address/address.ts";
import { parseCalendarPeriod } from "../../../src/report/address/calendar-period.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";

it("an address is canonical: it has all options, in a fixed order", () => {
  const options = parseReportOptions({
    report: "compliance",
    zone: ["81003", "81001"],
    by: ["date,campaign"],
    only: ["missed"],
    campaign: ["7"],
    kind: ["signage"],
    to: "2026-11-20",
    from: "2026-11-01",
    group: ["58429"],
  });
  const address = toAddress(options);
  expect(formatAddress(address)).toBe(
    "compliance?by=campaign,date&from=2026-11-01&to=2026-11-20&group=58429&zone=81003,81001&kind=signage&campaign=7&only=missed",
  );
  const { by, from, to, ...lists } = Object.fromEntries(
    Object.entries(address.words).map(([word, value]) => [word, [value]]),
  );
  const again = parseReportOptions({
    report: address.view,
    ...lists,
    ...(by && { by }),
    ...(from?.[0] && { from: from[0] }),
    ...(to?.[0] && { to: to[0] }),
  });
  expect(toAddress(again)).toEqual(address);
});

it("special characters of a text do not change the address around it", () => {
  expect(formatAddress({ view: "plays", words: { zone: "a&b=c#d %", group: "" } })).toBe(
    "plays?zone=a%26b%3Dc%23d%20%25",
  );
  expect(formatAddress({ view: "", words: {} })).toBe("");
});

it("filters by attributes stand in an address as they are typed", () => {
  const asked = parseReportOptions({
    report: "plays",
    where: ["region=North,South", "brand=Bar & Grill;size=2+"],
  });
  const text = formatAddress(toAddress(asked));
  expect(text).toBe("plays?where=region=North,South;brand=Bar%20%26%20Grill;size=2%2B");
  const where = new URL(text, "http://venue").searchParams.getAll("where");
  expect(parseReportOptions({ report: "plays", where }).where).toEqual(asked.where);
});

it.each([
  ["2026-11-20", "2026-11-20", "2026-11-20"],
  ["2026-W47", "2026-11-16", "2026-11-22"],
  ["2026-W01", "2025-12-29", "2026-01-04"],
  ["2026-W53", "2026-12-28", "2027-01-03"],
  ["2026-02", "2026-02-01", "2026-02-28"],
  ["2024-02", "2024-02-01", "2024-02-29"],
  ["2026-12", "2026-12-01", "2026-12-31"],
  ["2026-Q1", "2026-01-01", "2026-03-31"],
  ["2026-Q4", "2026-10-01", "2026-12-31"],
])("%s is from %s to %s", (text, from, to) => {
  expect(parseCalendarPeriod(text)).toEqual({ from, to });
});

it.each(["", "2026", "2026-13", "2026-11-31", "2025-W53", "2026-Q5", "November"])(
  "%s is not a period",
  (text) => {
    expect(parseCalendarPeriod(text)).toBeUndefined();
  },
);
