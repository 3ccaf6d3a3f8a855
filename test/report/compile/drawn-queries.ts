import type { AggregateReport } from "../../../src/report/catalog/aggregate-report.ts";
import { campaignPlays } from "../../../src/report/catalog/campaign-plays.ts";
import { compliance } from "../../../src/report/catalog/compliance.ts";
import { daypartPlays } from "../../../src/report/catalog/daypart-plays.ts";
import { plays } from "../../../src/report/catalog/plays.ts";
import { uptime } from "../../../src/report/catalog/uptime.ts";
import type { StatementOptions } from "../../../src/report/options/report-statement.ts";
import { addDays } from "../../../src/util/local-date.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { campaignKeys, subjectOf } from "../drawn-world.ts";
import { days, playDays } from "./varied-world.ts";

export interface DrawnQuery extends StatementOptions {
  by: string[];
  period: { from: string; to: string };
}

/** Reports whose rows are compared with a plain count. */
export const counted = {
  plays,
  plays_by_daypart: daypartPlays,
  plays_by_campaign: campaignPlays,
  compliance,
  uptime,
} satisfies Record<string, AggregateReport>;
export type Counted = keyof typeof counted;

/** Draws requests that a report takes: words, filters, attributes, states and limits. */
export function drawQueries(file: Counted, seed: number, count: number): DrawnQuery[] {
  const report: AggregateReport = counted[file];
  const draw = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;
  const some = <Item>(items: readonly Item[], most: number): Item[] => [
    ...new Set(Array.from({ length: 1 + draw(most) }, () => pick(items))),
  ];
  const maybe = <Option>(times: number, option: () => Option) => (draw(times) === 0 ? option() : undefined);
  const attributes = Object.entries(subjectOf).filter(([, subject]) => report.attributes.includes(subject));
  const must = { plays_by_daypart: "daypart", plays_by_campaign: "campaign" }[file as string];
  const values: Record<string, readonly string[]> = {
    region: ["North", "South", "East, far", "O'Brien", "(none)"],
    brand: ["A", "B", "(none)"],
    genre: ["Jazz", "Rock", "Ad", "(none)"],
    language: ["en", "(none)"],
    advertiser: ["Acme", "(none)"],
  };
  return Array.from({ length: count }, () => {
    const words = Object.keys(report.dimensions).filter((word) => word === must || draw(6) === 0);
    const named = maybe(2, () => some(attributes, 3)) ?? [];
    const chosen = named.map(([name, subject]) => {
      const isFilter = draw(2) === 0;
      return {
        subject,
        name,
        values: isFilter ? some(values[name] ?? [], 2) : [],
        isGrouped: !isFilter || draw(2) === 0,
      };
    });
    const grouped = chosen.filter(({ isGrouped }) => isGrouped);
    const ordered = [...grouped, ...chosen.filter(({ isGrouped }) => !isGrouped)];
    const isLong = file === "plays" && draw(2) === 0;
    const from = pick(isLong ? playDays.slice(0, 45) : days.slice(0, 20));
    return {
      by: [...grouped.map(({ name }) => name), ...words],
      attributes: ordered.map(({ subject, name, values }) => ({ subject, name, values })),
      period: { from, to: addDays(from, isLong ? 60 + draw(60) : draw(12)) },
      zoneIds: maybe(6, () => some([1, 2, 3, 6, 9, 12], 3)) ?? [],
      locationIds: maybe(8, () => some([1, 2, 3, 4], 2)) ?? [],
      groupIds: maybe(5, () => some([1, 2, 3], 2)) ?? [],
      ...("device" in report.filters && { deviceIds: maybe(6, () => some([10, 30, 31, 90], 3)) ?? [] }),
      ...("kind" in report.filters && {
        kinds: maybe(5, () => some(["music", "signage", "messaging"] as const, 2)) ?? [],
      }),
      ...("campaign" in report.filters && { campaignKeys: maybe(5, () => some(campaignKeys, 2)) ?? [] }),
      ...(report.isInState && {
        onlyStates: maybe(4, () => some(["missed", "closed", "unscheduled"] as const, 2)) ?? [],
      }),
      ...(file.startsWith("plays") && grouped.length === 0 && { top: maybe(3, () => 1 + draw(9)) }),
    } as DrawnQuery;
  });
}
