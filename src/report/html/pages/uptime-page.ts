import { daysBetween } from "../../../util/local-date.ts";
import { listPlannedNotices, numberNotices, type PlannedNotice } from "../../findings/planned-notices.ts";
import { countKnown, formatKnownDays } from "../../findings/reported-days.ts";
import type { ReportValue } from "../../report.ts";
import { percentText } from "../../text/cell-text.ts";
import { countOf, countText, durationText, shortDay } from "../../text/readable-text.ts";
import { coveredPeriodText, dayData } from "../../text/spans.ts";
import type { TargetChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { Fact, ReportPage } from "../report-page.ts";
import { attributeRankings } from "./attribute-rankings.ts";
import { deviceDays } from "./device-days.ts";
import { deviceSpans } from "./device-spans.ts";
import { findOutages, outageTimeline } from "./outages-page.ts";
import { explainUnknownUptime, formatKnownTime } from "./unknown-uptime.ts";

type Row = Readonly<Record<string, ReportValue>>;

export async function describeUptime(sources: PageSources): Promise<ReportPage> {
  const { mart, options, period, dataDays, read } = sources;
  const when = coveredPeriodText(period, dataDays);
  const [total = {}] = await read({});
  const perDay = await read({ by: ["date"] });
  const days = daysBetween(period.from, period.to);
  const target = options.failUnder ?? options.availabilityTarget;
  const planned = await listPlannedNotices(mart, { ...options, by: [] }, period);
  return {
    headline:
      (await explainUnknownUptime(sources, total, "uptime")) ??
      summarizeUptime(total, when, perDay, days.length),
    coverage: formatKnownTime(total, perDay, days.length),
    facts: uptimeFacts(total, { target, planned }),
    charts: [
      ...(await attributeRankings(sources, {
        title: "Downtime",
        amountOf: (row) => Number(row.down_seconds),
        textOf: (row) => durationText(Number(row.down_seconds)),
      })),
      ...(total.availability == null ? [] : [perDayChart(perDay, days, { target, dataDays })]),
      ...outageTimeline(await findOutages(sources), sources, await deviceSpans(sources)),
      ...(await deviceDays(sources)),
    ],
  };
}

/** `target` is from 0 to 1; `planned` are the notices left out of availability without planned work. */
export function uptimeFacts(
  total: Row,
  { target, planned = [] }: { target?: number | undefined; planned?: readonly PlannedNotice[] } = {},
): Fact[] {
  const isKnown = total.availability != null;
  return [
    {
      figure: "availability",
      value: shareText(total.availability),
      ...(target !== undefined && { note: `target ${percentText(target)}` }),
    },
    {
      figure: "availability_without_planned",
      value: shareText(total.availability_without_planned),
      ...(planned.length > 0 && { note: numberNotices(planned) }),
    },
    { figure: "open_availability", value: shareText(total.open_availability) },
    {
      figure: "outages",
      value: isKnown ? countText(Number(total.outages ?? 0)) : "not known",
      note: "of 15 minutes or more",
    },
    {
      figure: "down_seconds",
      value: isKnown ? durationText(Number(total.down_seconds ?? 0)) : "not known",
    },
    {
      figure: "silent_seconds",
      value: isKnown ? durationText(Number(total.silent_seconds ?? 0)) : "not known",
    },
    {
      figure: "resolution_seconds",
      value: total.resolution_seconds == null ? "not known" : durationText(Number(total.resolution_seconds)),
    },
  ];
}

export function summarizeUptime(total: Row, when: string, perDay: readonly Row[], days: number): string {
  const devices = Number(total.devices ?? 0);
  const down = Number(total.down_seconds ?? 0);
  const first = `${countOf(devices, "device")} ${devices === 1 ? "was" : "were"} up ${percentText(Number(total.availability))} of monitored time${formatKnownDays(countKnown(perDay), days)}, ${when}`;
  if (down === 0) return `${first}; no known downtime.`;
  return `${first}; down for ${durationText(down)}; ${countOf(Number(total.outages ?? 0), "outage")} of 15 minutes or more began in this period.`;
}

function perDayChart(
  rows: readonly Row[],
  dates: readonly string[],
  { target, dataDays }: { target: number | undefined } & Pick<PageSources, "dataDays">,
): TargetChart {
  const shares = new Map(
    rows.map((row) => [String(row.date), row.availability == null ? null : Number(row.availability)]),
  );
  const days = dates.map((date) => ({
    date,
    share: shares.get(date) ?? null,
    data: dayData(date, dataDays),
  }));
  const begun = days.filter(({ data }) => data !== "none");
  const known = begun.flatMap(({ share }) => (share === null ? [] : [share]));
  const unknown = begun.length - known.length;
  return {
    kind: "target",
    title: "Availability per day",
    summary: `${target === undefined ? leastOf(days) : belowTarget(known, target)}${unknown === 0 ? "" : `; not known on ${countOf(unknown, "day")}`}.`,
    unit: "availability",
    days,
    ...(target !== undefined && { target }),
  };
}

function belowTarget(known: readonly number[], target: number): string {
  const below = known.filter((share) => share < target).length;
  return `Below the target of ${percentText(target)} on ${below} of ${countOf(known.length, "monitored day")}`;
}

function leastOf(days: TargetChart["days"]): string {
  const known = days.flatMap(({ date, share }) => (share === null ? [] : [{ date, share }]));
  const [least] = known.sort((a, b) => a.share - b.share);
  return least ? `Lowest on ${shortDay(least.date)}, ${percentText(least.share)}` : "No day is known";
}

function shareText(value: ReportValue | undefined): string {
  return value == null ? "not known" : percentText(Number(value));
}
