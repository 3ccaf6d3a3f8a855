import { addDays, listDaysBetween } from "../../../util/local-date.ts";
import { createDrillDown } from "../../address/drill-down.ts";
import { nameCampaign } from "../../findings/names.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { compareCounts, formatCount, formatQuantity } from "../../text/readable-text.ts";
import { formatDates, getDayData } from "../../text/spans.ts";
import type { PerDayChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import { drawHours } from "../read/draw-hours.ts";
import { countPerStep, type DrawnDay, readDays, summarizeRange } from "../read/draw-steps.ts";
import { mapZones } from "../read/draw-zone-map.ts";
import { explainNone } from "../read/explain-nothing.ts";
import { rank, rankAttributes } from "../read/rank-rows.ts";
import type { PageDeclaration, TotalledPage } from "../report-page.ts";
import { declareShares } from "./shares-page.ts";

export function declarePlays(sources: PageSources): PageDeclaration {
  const { options } = sources;
  if (options.by.includes("campaign")) return campaignPlays;
  if (options.entry.leadsToCampaigns) return declareShares(sources);
  const step = (["hour", "week", "month", "quarter"] as const).find((word) => options.by.includes(word));
  return {
    ...plays,
    charts: [
      drawHours("plays"),
      rankAttributes({ title: "Plays", value: "r.plays", textOf: formatCount }),
      ...(step === undefined
        ? []
        : [
            countPerStep({
              title: step === "hour" ? "Plays per hour of the day" : `Plays per ${step}`,
              ...{ measure: "plays", unit: "plays", step },
            }),
          ]),
      ...plays.charts,
    ],
  };
}

const plays: PageDeclaration = {
  explain: explainNone("plays"),
  async headline(page) {
    const { count, options } = page;
    const when = options.onlyStates === undefined ? page.when : `outside opening hours ${page.when}`;
    if (count("plays") === 0) return `No plays ${when}.`;
    const change = await comparePlays(page);
    return `${formatQuantity(count("plays"), "play")} of ${formatQuantity(count("items"), "different item")} in ${formatQuantity(count("zones"), "zone")} ${when}${change ? `: ${change}` : ""}.`;
  },
  async coverage(page) {
    const { mart, options, count } = page;
    const [all] = await mart.all<{ zones: number }>("select count(*) as zones from dim_zone");
    const isFiltered =
      [options.groupIds, options.zoneIds, options.locationIds].some((ids) => ids.length > 0) ||
      options.attributes.some(({ subject, values }) => subject === "zone" && values.length > 0);
    const zones = isFiltered
      ? formatQuantity(count("zones"), "zone")
      : `${formatCount(count("zones"))} of ${formatQuantity(Number(all?.zones), "zone")}`;
    const days = await readDays(page, "plays");
    return `plays from ${zones}, on ${days.filter(({ value }) => value).length} of ${formatQuantity(days.length, "day")}`;
  },
  facts: [
    { figure: "plays", note: comparePlays },
    { figure: "play_seconds" },
    {
      figure: "complete_plays",
      note: ({ count }) => `of ${formatCount(count("measured_plays"))} with a known length`,
      isShown: ({ count }) => count("measured_plays") > 0,
    },
    {
      // Only songs can be short.
      figure: "short_plays",
      note: async (page) =>
        `${formatPercent(page.count("short_plays") / (await countSongs(page)))} of song plays`,
      isShown: async (page) => (await countSongs(page)) > 0,
    },
  ],
  charts: [
    drawPlaysPerDay,
    mapZones({
      title: "Map of plays",
      figure: "plays",
      amount: "r.plays",
      textOf: (count) => formatQuantity(count, "play"),
    }),
    rank({
      title: "Most played",
      by: ["item"],
      value: "r.plays",
      limit: 10,
      keys: ["kind", "item_id"],
      headings: ["item", "plays"],
      textOf: formatCount,
      labelOf: ({ item_name, kind }) => `${item_name ?? "?"} (${kind})`,
      longLabelOf: ({ item_name, item_id, kind }) => `${item_name ?? "?"} (${kind} ${item_id})`,
      addressOf: (row, { request, period }) => createDrillDown(request, period, ["item"], row),
      note: ({ count, options }, values, all) =>
        values.length < all
          ? `They are ${formatPercent(values.reduce((sum, value) => sum + value, 0) / count("plays"))} of ${options.onlyStates === undefined ? "all" : "these"} plays.`
          : undefined,
    }),
  ],
};

/** Plays by campaign. The key numbers count a play that several campaigns share once. */
const campaignPlays: PageDeclaration = {
  total: ({ sum }) =>
    sum(
      {
        campaigns: "count(*)",
        weighted_plays: "sum(weighted_plays)",
        weighted_seconds: "sum(weighted_seconds)",
        unscheduled_plays: "sum(unscheduled_plays)",
      },
      { by: ["campaign"] },
    ),
  explain: explainNone("campaigns"),
  headline: ({ count, when }) =>
    count("campaigns") === 0
      ? `No plays of campaigns ${when}.`
      : `${formatQuantity(Math.round(count("weighted_plays")), "play")} of ${formatQuantity(count("campaigns"), "campaign")} ${when}, each counted once, and ${formatCount(count("unscheduled_plays"))} without a schedule.`,
  coverage: ({ when }) => `plays of the campaigns' assets ${when}`,
  facts: [
    { figure: "weighted_plays", note: () => "each play counts once" },
    { figure: "weighted_seconds" },
    { figure: "unscheduled_plays" },
  ],
  charts: [
    rank({
      title: "Plays by campaign",
      by: ["campaign"],
      value: "r.plays",
      limit: 10,
      keys: ["kind", "campaign_id"],
      headings: ["campaign", "plays"],
      textOf: formatCount,
      labelOf: (row, { names }) => nameCampaign(row, names),
      addressOf: (row, { request, period }) => createDrillDown(request, period, ["campaign"], row),
      note: () => "A play of a shared asset is counted for each campaign.",
    }),
  ],
};

async function countSongs({ read }: PageSources): Promise<number> {
  const kinds = await read({ by: ["kind"], measures: ["plays"] });
  return Number(kinds.find(({ kind }) => kind === "music")?.plays ?? 0);
}

/** Returns the previous period's plays per day; `undefined` for partial data, after which plays would seem to rise. */
async function readDaysBefore(page: PageSources): Promise<DrawnDay[] | undefined> {
  const { period, comparedWith, dataDays } = page;
  const { length } = listDaysBetween(period.from, period.to);
  const before = comparedWith ?? { from: addDays(period.from, -length), to: addDays(period.from, -1) };
  if (getDayData(before.from, dataDays) !== "whole") return undefined;
  return (await readDays(page, "plays", before)).slice(0, length);
}

/** Compares plays on pairs of days with complete data; `undefined` if there are no such pairs. */
async function comparePlays(page: TotalledPage): Promise<string | undefined> {
  if (page.comparedWith) return undefined;
  const daysBefore = await readDaysBefore(page);
  const days = await readDays(page, "plays");
  const pairs = days.flatMap((day, index) => {
    const before = daysBefore?.[index];
    return before && day.data === "whole" && before.data === "whole" ? [{ day, before }] : [];
  });
  const sum = (some: readonly DrawnDay[]) => some.reduce((total, { value }) => total + (value ?? 0), 0);
  const change = compareCounts(sum(pairs.map(({ day }) => day)), sum(pairs.map(({ before }) => before)));
  if (change === undefined) return undefined;
  if (days.length === 1) return `${change} on the previous day`;
  const compared = pairs.length < days.length ? ` (${formatQuantity(pairs.length, "day")} compared)` : "";
  return `${change} on the previous ${days.length} days${compared}`;
}

async function drawPlaysPerDay(page: TotalledPage): Promise<PerDayChart[]> {
  if (page.count("plays") === 0) return [];
  const { comparedWith } = page;
  const days = await readDays(page, "plays");
  const daysBefore = await readDaysBefore(page);
  const beforeName = comparedWith ? formatDates(comparedWith, undefined) : "the previous period";
  const note = daysBefore
    ? `The dashed line shows ${beforeName}, day by day.`
    : "No complete previous period to compare with.";
  return [
    {
      ...{ kind: "per-day", title: "Plays per day", unit: "plays", days },
      summary: `${summarizeRange(days)} ${note}`.trim(),
      ...(daysBefore && { daysBefore, beforeName }),
    },
  ];
}
