import { expect, it } from "vitest";
import { campaignPlays } from "../../../src/report/catalog/campaign-plays.ts";
import { compliance } from "../../../src/report/catalog/compliance.ts";
import { daypartPlays } from "../../../src/report/catalog/daypart-plays.ts";
import { delivery } from "../../../src/report/catalog/delivery.ts";
import { devices } from "../../../src/report/catalog/devices.ts";
import { rejects } from "../../../src/report/catalog/loads.ts";
import { plays } from "../../../src/report/catalog/plays.ts";
import { schedule } from "../../../src/report/catalog/schedule.ts";
import { singlePlays } from "../../../src/report/catalog/single-plays.ts";
import { uptime } from "../../../src/report/catalog/uptime.ts";
import { compile } from "../../../src/report/compile/compile.ts";
import { compileList } from "../../../src/report/compile/compile-list.ts";
import { fill, type Sql, sql } from "../../../src/report/compile/sql.ts";

const period = { from: "2026-10-24", to: "2026-11-20" };
const compare = {
  period: { from: "2026-09-26", to: "2026-10-23" },
  shift: { days: 28, weeks: 4, months: 1, quarters: 0 },
  isPossible: true,
};
const region = { subject: "zone", name: "region", values: [] } as const;

/** Statements as reviewers would read them. */
const statements: readonly [string, Sql][] = [
  ["one figure in total", compile(plays, { by: [], period, measures: ["plays"] })],
  ["plays by zone", compile(plays, { by: ["zone"], period })],
  ["the ten most played items", compile(plays, { by: ["item"], period, top: 10 })],
  [
    "the three most played items of each city",
    compile(plays, { by: ["city", "item"], per: ["city"], top: 3, period, measures: ["plays"] }),
  ],
  [
    "plays by an attribute and week",
    compile(plays, { by: ["region", "week"], attributes: [region], period, measures: ["plays", "zones"] }),
  ],
  [
    "plays in the North by group",
    compile(plays, {
      by: ["group"],
      where: { group: [3] },
      attributes: [{ ...region, values: ["North"] }],
      period,
      measures: ["plays"],
    }),
  ],
  ["plays by daypart", compile(daypartPlays, { by: ["daypart"], period, measures: ["plays"] })],
  [
    "weighted plays by campaign",
    compile(campaignPlays, { by: ["campaign"], period, measures: ["weighted_plays"] }),
  ],
  [
    "since when campaigns are missed",
    compile(compliance, {
      by: ["campaign"],
      only: ["missed"],
      period,
      measures: ["compliance", "first_missed_date"],
    }),
  ],
  [
    "availability by firmware, compared",
    compile(uptime, { by: ["firmware", "week"], compare, period, measures: ["availability", "outages"] }),
  ],
  [
    "the three most urgent devices that are down in the North",
    compileList(devices, { only: ["down"], top: 3, attributes: [{ ...region, values: ["North"] }] }),
  ],
  [
    "plays of a campaign in the North",
    compileList(singlePlays, {
      where: { campaign: [9] },
      attributes: [{ ...region, values: ["North"] }],
      period,
    }),
  ],
  ["rejected lines of a zone", compileList(rejects, { where: { zone: [12] } })],
];

it.each(statements)("%s", (_name, { text, values }) => {
  expect(`${text}\n\n-- ${values.join(", ")}`).toMatchSnapshot();
});

it("selects a measure once that is requested twice", () => {
  const request = { by: ["zone"], period };
  const twice = compile(uptime, { ...request, measures: ["up_seconds", "down_seconds", "up_seconds"] });
  expect(twice).toEqual(compile(uptime, { ...request, measures: ["up_seconds", "down_seconds"] }));
});

it("takes only pieces, so that no value becomes part of the text", () => {
  expect(() => sql`select ${"1; drop table a" as unknown as Sql}`).toThrow(/not a piece of SQL/);
  const odd = `"x'; --`;
  const attributes = [{ subject: "zone" as const, name: odd, values: [odd] }];
  const { text, values } = compile(plays, { by: [odd], attributes, period, where: { kind: [odd] } });
  expect(values).toContain(odd);
  const alias = `as """x'; --"`;
  expect(text.split(alias)).toHaveLength(2);
  expect(text.replace(alias, "")).not.toContain(odd);
});

it("fills the holes of a file only with pieces", () => {
  const file = "reports/templates/delivery.sql";
  expect(() => fill(file)).toThrow(`${file}: nothing fills {{line_joins}}`);
  const texts = new Proxy({}, { get: () => "1; drop table a" });
  expect(() => fill(file, texts)).toThrow(/not a piece of SQL/);
  const odd = `"x'; --`;
  const subjects = ["zone", "campaign"] as const;
  const attributes = subjects.map((subject) => ({ subject, name: `${subject} ${odd}`, values: [odd] }));
  for (const report of [delivery, schedule]) {
    const by = attributes.map(({ name }) => name);
    const { text, values } = compile(report, { by, attributes, period, where: { kind: [odd] } });
    expect(values).toContain(odd);
    expect(text.replaceAll(/ as "(?:[^"]|"")+"/g, "")).not.toContain("x'");
    expect(text).not.toMatch(/[{}]/);
  }
});
