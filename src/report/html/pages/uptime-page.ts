import { listDaysBetween } from "../../../util/local-date.ts";
import {
  formatNoticeNumbers,
  listPlannedNotices,
  type PlannedNotice,
} from "../../findings/planned-notices.ts";
import { countKnownDays, formatKnownDays } from "../../findings/reported-days.ts";
import type { ReportValue } from "../../report.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatDuration, formatQuantity, formatShortDay } from "../../text/readable-text.ts";
import { formatCoveredPeriod, getDayData } from "../../text/spans.ts";
import type { TargetChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { Fact, ReportPage } from "../report-page.ts";
import { drawAttributeRankings } from "./attribute-rankings.ts";
import { drawDeviceDays } from "./device-days.ts";
import { readDeviceSpans } from "./device-spans.ts";
import { drawOutageTimeline, findOutages } from "./outages-page.ts";
import { explainUnknownUptime, formatKnownTime } from "./unknown-uptime.ts";
import { drawZoneMap } from "./zone-map.ts";

type Row = Readonly<Record<string, ReportValue>>;

export async function describeUptime(sources: PageSources): Promise<ReportPage> {
  const { mart, options, period, dataDays, read } = sources;
  const when = formatCoveredPeriod(period, dataDays);
  const [total = {}] = await read({});
  const perDay = await read({ by: ["date"] });
  const days = listDaysBetween(period.from, period.to);
  const target = options.failUnder ?? options.availabilityTarget;
  const planned = await listPlannedNotices(mart, { ...options, by: [] }, period);
  return {
    headline:
      (await explainUnknownUptime(sources, total, "uptime")) ??
      summarizeUptime(total, when, perDay, days.length),
    coverage: formatKnownTime(total, perDay, days.length),
    facts: listUptimeFacts(total, { target, planned }),
    charts: [
      ...(await drawAttributeRankings(sources, {
        title: "Downtime",
        amountOf: (row) => Number(row.down_seconds),
        textOf: (row) => formatDuration(Number(row.down_seconds)),
      })),
      ...(total.availability == null ? [] : [drawAvailability(perDay, days, { target, dataDays })]),
      ...(await drawZoneMap(sources, {
        title: "Map of availability",
        figure: "availability",
        amount: "r.up_seconds",
        total: "(r.up_seconds + r.down_seconds)",
        target,
        shares: [
          "no known downtime",
          "down for some time",
          "down for half the time or more",
          "state unknown",
        ],
        textOf: (up, known) => `up ${formatPercent(up / known)} of monitored time`,
      })),
      ...drawOutageTimeline(await findOutages(sources), sources, await readDeviceSpans(sources)),
      ...(await drawDeviceDays(sources)),
    ],
  };
}

/** `target` is from 0 to 1; `planned` lists the notices that availability without planned work leaves out. */
export function listUptimeFacts(
  total: Row,
  { target, planned = [] }: { target?: number | undefined; planned?: readonly PlannedNotice[] } = {},
): Fact[] {
  const isKnown = total.availability != null;
  return [
    {
      figure: "availability",
      value: formatShare(total.availability),
      ...(target !== undefined && { note: `target ${formatPercent(target)}` }),
    },
    {
      figure: "availability_without_planned",
      value: formatShare(total.availability_without_planned),
      ...(planned.length > 0 && { note: formatNoticeNumbers(planned) }),
    },
    { figure: "open_availability", value: formatShare(total.open_availability) },
    {
      figure: "outages",
      value: isKnown ? formatCount(Number(total.outages ?? 0)) : "unknown",
      note: "of 15 minutes or more",
    },
    {
      figure: "down_seconds",
      value: isKnown ? formatDuration(Number(total.down_seconds ?? 0)) : "unknown",
    },
    {
      figure: "silent_seconds",
      value: isKnown ? formatDuration(Number(total.silent_seconds ?? 0)) : "unknown",
    },
    {
      figure: "resolution_seconds",
      value: total.resolution_seconds == null ? "unknown" : formatDuration(Number(total.resolution_seconds)),
    },
  ];
}

export function summarizeUptime(total: Row, when: string, perDay: readonly Row[], days: number): string {
  const devices = Number(total.devices ?? 0);
  const down = Number(total.down_seconds ?? 0);
  const first = `${formatQuantity(devices, "device")} ${devices === 1 ? "was" : "were"} up ${formatPercent(Number(total.availability))} of monitored time${formatKnownDays(countKnownDays(perDay), days)}, ${when}`;
  if (down === 0) return `${first}; no known downtime.`;
  return `${first}; down for ${formatDuration(down)}; ${formatQuantity(Number(total.outages ?? 0), "outage")} of 15 minutes or more began in this period.`;
}

function drawAvailability(
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
    data: getDayData(date, dataDays),
  }));
  const daysWithData = days.filter(({ data }) => data !== "none");
  const known = daysWithData.flatMap(({ share }) => (share === null ? [] : [share]));
  const unknown = daysWithData.length - known.length;
  return {
    kind: "target",
    title: "Availability per day",
    summary: `${target === undefined ? describeLowest(days) : describeBelowTarget(known, target)}${unknown === 0 ? "" : `; unknown on ${formatQuantity(unknown, "day")}`}.`,
    unit: "availability",
    days,
    ...(target !== undefined && { target }),
  };
}

function describeBelowTarget(known: readonly number[], target: number): string {
  const below = known.filter((share) => share < target).length;
  return `Below the target of ${formatPercent(target)} on ${below} of ${formatQuantity(known.length, "monitored day")}`;
}

function describeLowest(days: TargetChart["days"]): string {
  const known = days.flatMap(({ date, share }) => (share === null ? [] : [{ date, share }]));
  const [least] = known.sort((a, b) => a.share - b.share);
  return least
    ? `Lowest on ${formatShortDay(least.date)}, ${formatPercent(least.share)}`
    : "No day has a known state";
}

function formatShare(value: ReportValue | undefined): string {
  return value == null ? "unknown" : formatPercent(Number(value));
}
