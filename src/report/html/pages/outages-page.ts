import { addDays, listDaysBetween } from "../../../util/local-date.ts";
import { findListDrillDown } from "../../address/list-drill-down.ts";
import { formatPrecision, isEndUnknown } from "../../findings/device-checks.ts";
import { nameZone } from "../../findings/names.ts";
import type { Period, ReportValue } from "../../report.ts";
import { formatInstant } from "../../text/cell-text.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import { formatCoveredPeriod } from "../../text/spans.ts";
import type { TimelineChart, TimelineSpan } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";
import { explainUnknownUptime, formatKnownTime } from "./unknown-uptime.ts";

export async function describeOutages(sources: PageSources): Promise<ReportPage> {
  const { period, dataDays, read } = sources;
  const found = await findOutages(sources);
  const { outages, devices, seconds, open, planned } = found;
  const [uptime = {}] = await read({ report: "uptime" });
  const perDay = await read({ report: "uptime", by: ["date"], measures: ["availability"] });
  const isKnown = outages > 0 || uptime.availability != null;
  const when = formatCoveredPeriod(period, dataDays);
  const ongoing =
    open === 0 ? "none is ongoing" : `${formatCount(open)} ${open === 1 ? "is" : "are"} ongoing`;
  return {
    headline:
      outages === 0
        ? ((await explainUnknownUptime(sources, uptime, "outages")) ??
          `No known outages of 15 minutes or more ${when}.`)
        : `${formatQuantity(outages, "outage")} of ${formatQuantity(devices, "device")} ${when}, ${formatDuration(seconds)} in total${formatPrecision(uptime)}; ${ongoing}.`,
    coverage: formatKnownTime(uptime, perDay, listDaysBetween(period.from, period.to).length),
    facts: [
      {
        figure: "outages",
        value: isKnown ? formatCount(outages) : "unknown",
        ...(isKnown && { note: `of ${formatQuantity(devices, "device")}` }),
      },
      { figure: "down_seconds", value: isKnown ? formatDuration(seconds) : "unknown" },
      { figure: "is_open", value: isKnown ? formatCount(open) : "unknown" },
      {
        figure: "planned",
        value: isKnown ? formatCount(planned) : "unknown",
        note: "overlapping announced maintenance",
      },
    ],
    charts: drawOutageTimeline(found, sources),
  };
}

type Row = Readonly<Record<string, ReportValue>>;

/** Maximum devices drawn; those that were down longest are chosen. */
const maxDrawnDevices = 25;
/** Maximum outages drawn; the longest outages of these devices are chosen. */
const maxDrawnOutages = 1_000;

export interface FoundOutages {
  outages: number;
  devices: number;
  seconds: number;
  open: number;
  planned: number;
  /** Instants, `YYYY-MM-DDTHH:MM:SSZ`; `null` without an outage. */
  firstStart: string | null;
  lastStart: string | null;
  lastEnd: string | null;
  /** One row per drawn device, with its down time in `seconds`, longest first. */
  longest: readonly Row[];
  drawn: readonly Row[];
}

export async function findOutages({ aggregate }: Pick<PageSources, "aggregate">): Promise<FoundOutages> {
  const report = "outages";
  const [total = {}] = await aggregate(
    (rows) => `select
      count(*) as outages,
      count(distinct device_id) as devices,
      sum(down_seconds) as seconds,
      count(case when is_open then 1 end) as open_outages,
      count(case when planned then 1 end) as planned_outages,
      min(started_at) as first_start,
      max(started_at) as last_start,
      max(ended_at) as last_end
    from ${rows}`,
    { report },
  );
  const longest = await aggregate(
    (rows) => `select device_id, sum(down_seconds) as seconds
    from ${rows}
    group by device_id
    order by seconds desc, min(started_at), min(zone_id), device_id
    limit ${maxDrawnDevices}`,
    { report },
  );
  const deviceIds = longest.map(({ device_id }) => Number(device_id));
  const drawn =
    deviceIds.length === 0
      ? []
      : await aggregate(
          (rows) =>
            `select * from ${rows} order by down_seconds desc, started_at, device_id limit ${maxDrawnOutages}`,
          { report, deviceIds },
        );
  const count = (name: string) => Number(total[name] ?? 0);
  const instant = (value: ReportValue | undefined) => (value == null ? null : formatInstant(String(value)));
  return {
    outages: count("outages"),
    devices: count("devices"),
    seconds: count("seconds"),
    open: count("open_outages"),
    planned: count("planned_outages"),
    firstStart: instant(total.first_start),
    lastStart: instant(total.last_start),
    lastEnd: instant(total.last_end),
    longest,
    drawn: drawn
      .map((row) => ({
        ...row,
        started_at: instant(row.started_at),
        ended_at: instant(row.ended_at),
        seen_up_at: instant(row.seen_up_at),
      }))
      .sort((a, b) => (String(a.started_at) < String(b.started_at) ? -1 : 1)),
  };
}

/** Draws one line per device; returns nothing without outages. `seen` adds lines about a single device. */
export function drawOutageTimeline(
  found: FoundOutages,
  { period, dataAsOf, now, names, link }: Pick<PageSources, "period" | "dataAsOf" | "now" | "names" | "link">,
  seen: TimelineChart["rows"] = [],
): TimelineChart[] {
  const days = extendToUtcDays(period, found);
  const from = `${days.from}T00:00:00Z`;
  const end = `${addDays(days.to, 1)}T00:00:00Z`;
  const present = `${now.toISOString().slice(0, 19)}Z`;
  const to = end < present ? end : present;
  const deviceRows = seen
    .map((row) => ({ ...row, spans: row.spans.filter((span) => isWithin(span, { from, to })) }))
    .filter(({ spans }) => spans.length > 0);
  const { outages, devices, longest, drawn } = found;
  if (devices === 0 && deviceRows.length === 0) return [];
  const shown = longest.flatMap(({ device_id, seconds }) => {
    const spans = drawn.filter((outage) => outage.device_id === device_id);
    const [first] = spans;
    return first ? [{ first, spans, label: nameZone(first, names), seconds: Number(seconds) }] : [];
  });
  const [worst] = shown;
  const remainder = devices > maxDrawnDevices ? ` The first ${maxDrawnDevices} are shown.` : "";
  const outageLimit =
    drawn.length < maxDrawnOutages
      ? ""
      : ` Of these, the ${formatCount(maxDrawnOutages)} longest outages are shown.`;
  const summary = worst
    ? `${formatQuantity(outages, "outage")} of ${formatQuantity(devices, "device")}; ${worst.label} was down longest, ${formatDuration(worst.seconds)}.`
    : "No known outages of 15 minutes or more.";
  return [
    {
      kind: "timeline",
      title: deviceRows.length > 0 ? "Device uptime and plays of its zone" : "Outages over time",
      summary: `${summary} Days are UTC.${remainder}${outageLimit}`,
      subject: "device",
      from,
      to,
      dataTo: dataAsOf ?? present,
      rows: [
        ...shown.map(({ label, first, spans }) => {
          const target = findListDrillDown("outages", "device_id", first, period);
          return {
            label,
            href: target && link(target),
            spans: spans.map((span) => ({
              from: String(span.started_at),
              to: span.ended_at == null ? null : String(span.ended_at),
              ...(isEndUnknown(span) && { latestEnd: String(span.seen_up_at) }),
              kind: span.planned === true ? ("planned" as const) : ("down" as const),
            })),
          };
        }),
        ...deviceRows,
      ],
    },
  ];
}

/**
 * Returns the period's days in UTC, extended by a day at each end that an outage reaches, because local days
 * begin and end at other instants. Anything further is clipped.
 */
function extendToUtcDays(
  { from, to }: Period,
  { firstStart, lastStart, lastEnd }: Pick<FoundOutages, "firstStart" | "lastStart" | "lastEnd">,
): Period {
  const dayOf = (instant: string) => instant.slice(0, "YYYY-MM-DD".length);
  const last = lastEnd === null ? "" : new Date(Date.parse(lastEnd) - 1).toISOString();
  return {
    from: firstStart !== null && dayOf(firstStart) < from ? addDays(from, -1) : from,
    to: dayOf(lastStart ?? "") > to || dayOf(last) > to ? addDays(to, 1) : to,
  };
}

/**
 * Returns true if a span overlaps the range, or is a check within it, which begins and ends at the same
 * instant.
 */
function isWithin(span: TimelineSpan, { from, to }: { from: string; to: string }): boolean {
  return span.from < to && (span.from >= from || span.to === null || span.to > from);
}
