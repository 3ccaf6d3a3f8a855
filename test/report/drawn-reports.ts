import { afterAll, beforeAll } from "vitest";
import { parseReportOptions } from "../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../src/report/options/parse-request.ts";
import { openPublished } from "../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../src/report/published/published-mart.ts";
import { runReport } from "../../src/report/run-report.ts";
import { formatWeek } from "../../src/util/local-date.ts";
import { publishFixture } from "../support/published-fixture.ts";
import { shareFolder } from "../support/shared-folder.ts";
import {
  cityOf,
  drawnWorld,
  groupBy,
  locationOf,
  period,
  type Subject,
  subjectOf,
  toAttributeName,
} from "./drawn-world.ts";
import { rowsOf } from "./report-rows.ts";

export const now = new Date("2026-11-21T06:00:00Z");

/** Opens the generated data for the tests of a file. */
export function openDrawnWorld() {
  let mart: PublishedMart;
  beforeAll(async () => {
    const folder = await shareFolder("drawn world", (own) => publishFixture(own, drawnWorld()));
    mart = await openPublished(folder, { threads: 1 });
  });
  afterAll(() => mart.close());

  async function report(words: TypedOptions): Promise<Record<string, unknown>[]> {
    return await rowsOf(await runReport(mart, parseReportOptions({ ...period, ...words }), now));
  }

  async function reported(name: string, { by, where }: Case, measures: readonly string[]): Promise<string[]> {
    const filters = Object.entries(where).map(([attribute, values]) => `${attribute}=${values.join(",")}`);
    const rows = await report({ report: name, by, ...(filters.length > 0 && { where: filters }) });
    return rows
      .map((row) =>
        JSON.stringify([
          by.map((word) => row[keyOf(word)[0]]),
          Object.fromEntries(
            measures.flatMap((measure) => (measure in row ? [[measure, row[measure]]] : [])),
          ),
        ]),
      )
      .sort();
  }

  return { getMart: () => mart, report, reported };
}

type Fact = Partial<Record<Subject, number>> & { date: string; kind?: string; hour?: number };

/** Column that identifies a row for a word of `--by`, and a function that returns its value for a fact. */
const keys: Readonly<Record<string, [column: string, of: (fact: Fact) => unknown]>> = {
  kind: ["kind", ({ kind }) => kind],
  zone: ["zone_id", ({ zone }) => zone],
  item: ["item_key", ({ item }) => item],
  campaign: ["campaign_key", ({ campaign }) => campaign],
  date: ["date", ({ date }) => date],
  week: ["week", ({ date }) => formatWeek(date)],
  month: ["month", ({ date }) => date.slice(0, 7)],
  quarter: ["quarter", ({ date }) => `2026-Q${date < "2026-10-01" ? 3 : 4}`],
  weekday: [
    "weekday",
    ({ date }) => new Date(date).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" }),
  ],
  location: ["location_id", ({ zone = 0 }) => locationOf(zone)],
  city: ["city", ({ zone }) => cityOf(zone)],
  hour: ["hour", ({ hour }) => hour],
  daypart: ["daypart", ({ hour = 0 }) => (hour < 12 ? "morning" : "(none)")],
};
export const keyOf = (word: string): [string, (fact: Fact) => unknown] =>
  keys[word] ?? [word, (fact) => toAttributeName(word, fact, fact.date)];

interface Case {
  by: string[];
  where: Record<string, string[]>;
}

/** Rows counted in plain TypeScript: figures per combination of the words' values. */
export function count<One extends Fact>(
  facts: readonly One[],
  { by, where }: Case,
  measure: (facts: readonly One[]) => Record<string, unknown>,
): string[] {
  const chosen = facts.filter((fact) =>
    Object.entries(where).every(([name, values]) => values.includes(toAttributeName(name, fact, fact.date))),
  );
  const groups = groupBy(chosen, (fact) => JSON.stringify(by.map((word) => keyOf(word)[1](fact))));
  return [...groups].map(([key, of]) => JSON.stringify([JSON.parse(key), measure(of)])).sort();
}

/** Combinations within the limit of attributes, those without filters first. */
export function combine(bys: readonly string[][], wheres: readonly Record<string, string[]>[]): Case[] {
  const selectAttributes = ({ by, where }: Case) => [
    ...by.filter((word) => subjectOf[word]),
    ...Object.keys(where),
  ];
  return wheres
    .flatMap((where) => bys.map((by) => ({ by, where })))
    .filter((one) => new Set(selectAttributes(one)).size <= 3);
}

export const distinct = <One>(facts: readonly One[], of: (fact: One) => unknown) =>
  new Set(facts.map(of)).size;

export const filters: Record<string, string[]>[] = [
  {},
  { region: ["North"] },
  { region: ["South", "(none)"] },
  { region: ["East, far"] },
  { brand: ["A"], region: ["O'Brien", "North"] },
];
