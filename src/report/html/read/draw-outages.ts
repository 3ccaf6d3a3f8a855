import { addDays } from "../../../util/local-date.ts";
import { findListDrillDown } from "../../address/list-drill-down.ts";
import { isEndUnknown } from "../../findings/device-checks.ts";
import { nameZone } from "../../findings/names.ts";
import { buildStatement } from "../../options/build-statement.ts";
import type { Period, ReportValue } from "../../result-types.ts";
import { formatInstant } from "../../text/cell-text.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import type { SpanKind, TimelineChart, TimelineSpan } from "../charts/chart.ts";
import type { PageSources, Row } from "../page-sources.ts";

/** Maximum devices drawn: those that were down longest. */
const maxDevices = 25;
/** Maximum outages drawn: the longest outages of these devices. */
const maxOutages = 1_000;

/** Draws the devices that were down longest, and the states and plays of a single requested device. */
export async function drawOutages(page: PageSources): Promise<TimelineChart[]> {
  return createTimeline(await readOutages(page), await readDeviceLines(page), page);
}

/** Reads the outages to draw, beginning with the device that was down longest. */
async function readOutages({ aggregate }: PageSources): Promise<Row[]> {
  const rows = await aggregate(
    (rows) => `with placed as (
      select o.*, dense_rank() over (order by device_seconds desc, first_started_at, device_id) as place
      from (
        select
          r.*,
          sum(down_seconds) over (partition by device_id) as device_seconds,
          min(started_at) over (partition by device_id) as first_started_at
        from ${rows}
      ) as o
    )
    select p.*, (select max(place) from placed) as devices, (select count(*) from placed) as outages
    from placed as p
    where place <= ${maxDevices}
    order by down_seconds desc, started_at, device_id
    limit ${maxOutages}`,
    { report: "outages" },
  );
  const instant = (value: ReportValue | undefined) => (value == null ? null : formatInstant(String(value)));
  return rows
    .map(
      (row): Row => ({
        ...row,
        started_at: instant(row.started_at),
        ended_at: instant(row.ended_at),
        seen_up_at: instant(row.seen_up_at),
      }),
    )
    .sort(
      (a, b) => Number(a.place) - Number(b.place) || (String(a.started_at) < String(b.started_at) ? -1 : 1),
    );
}

/** Reads the states, checks and silences of a single requested device, and the plays of its zone. */
async function readDeviceLines({ mart, options, period }: PageSources): Promise<TimelineChart["rows"]> {
  if (options.deviceIds?.length !== 1) return [];
  const inputs = { ...options, period };
  const seen = await mart.all<Row>(...buildStatement("device_spans", inputs));
  const played = await mart.all<Row>(...buildStatement("device_playing", inputs));
  const select = (...states: string[]) =>
    seen.filter(({ state }) => states.includes(String(state))).map((row) => toSpan(row, row.state));
  return [
    { label: "state", spans: select("up", "down", "unknown") },
    { label: "checked", spans: select("check") },
    { label: "silent", spans: select("silent") },
    { label: "played", spans: played.map((row) => toSpan(row, "played")) },
  ];
}

function toSpan({ started_at, ended_at }: Row, state: ReportValue | undefined): TimelineSpan {
  return {
    from: formatInstant(String(started_at)),
    to: formatInstant(String(ended_at)),
    kind: state as SpanKind,
  };
}

/**
 * Draws one line per device, and lines about a single device; nothing without spans.
 * @param outages by device, with the counts of all devices and outages
 */
function createTimeline(
  outages: readonly Row[],
  deviceLines: TimelineChart["rows"],
  page: Pick<PageSources, "period" | "dataAsOf" | "now" | "names" | "link">,
): TimelineChart[] {
  const { period, dataAsOf, now, names, link } = page;
  const days = extendToUtcDays(period, outages);
  const from = `${days.from}T00:00:00Z`;
  const present = `${now.toISOString().slice(0, 19)}Z`;
  const [to = present] = [`${addDays(days.to, 1)}T00:00:00Z`, present].sort();
  const lines = deviceLines
    .map((line) => ({ ...line, spans: line.spans.filter((span) => isWithin(span, { from, to })) }))
    .filter(({ spans }) => spans.length > 0);
  const devices = [...new Set(outages.map(({ device_id }) => device_id))].map((id) => {
    const spans = outages.filter(({ device_id }) => device_id === id);
    const [first = {}] = spans;
    const target = findListDrillDown("outages", "device_id", first, period);
    return { label: nameZone(first, names), href: target && link(target), spans: spans.map(toOutage) };
  });
  if (devices.length + lines.length === 0) return [];
  const [worst] = outages;
  const all = { devices: Number(worst?.devices), outages: Number(worst?.outages) };
  const summary = [
    worst
      ? `${formatQuantity(all.outages, "outage")} of ${formatQuantity(all.devices, "device")}; ${devices[0]?.label} was down longest, ${formatDuration(Number(worst.device_seconds))}.`
      : "No known outages of 15 minutes or more.",
    "Days are UTC.",
    ...(all.devices > maxDevices ? [`The first ${maxDevices} are shown.`] : []),
    ...(outages.length < maxOutages
      ? []
      : [`Of these, the ${formatCount(maxOutages)} longest outages are shown.`]),
  ];
  return [
    {
      kind: "timeline",
      title: lines.length > 0 ? "Device uptime and plays of its zone" : "Outages over time",
      summary: summary.join(" "),
      subject: "device",
      ...{ from, to, dataTo: dataAsOf ?? present },
      rows: [...devices, ...lines],
    },
  ];
}

function toOutage(outage: Row): TimelineSpan {
  return {
    from: String(outage.started_at),
    to: outage.ended_at == null ? null : String(outage.ended_at),
    ...(isEndUnknown(outage) && { latestEnd: String(outage.seen_up_at) }),
    kind: outage.planned === true ? "planned" : "down",
  };
}

/**
 * Returns the period as days in UTC. Local days begin and end at other instants, so a day is added at each end that an
 * outage reaches. The rest is clipped.
 */
function extendToUtcDays({ from, to }: Period, outages: readonly Row[]): Period {
  const dayOf = (instant: string) => instant.slice(0, "YYYY-MM-DD".length);
  const starts = outages.map(({ started_at }) => dayOf(String(started_at)));
  const ends = outages.flatMap(({ ended_at }) =>
    ended_at == null ? [] : [dayOf(new Date(Date.parse(String(ended_at)) - 1).toISOString())],
  );
  return {
    from: starts.some((day) => day < from) ? addDays(from, -1) : from,
    to: [...starts, ...ends].some((day) => day > to) ? addDays(to, 1) : to,
  };
}

/** A check begins and ends at the same instant. */
function isWithin(span: TimelineSpan, { from, to }: { from: string; to: string }): boolean {
  return span.from < to && (span.from >= from || span.to === null || span.to > from);
}
