import { addDays, daysBetween } from "../../../util/local-date.ts";
import { leadOfList } from "../../address/lead-of-list.ts";
import { isEndUnknown, sayHowExact } from "../../findings/device-checks.ts";
import { nameZone } from "../../findings/names.ts";
import type { Period, ReportValue } from "../../report.ts";
import { countOf, countText, durationText } from "../../text/people-text.ts";
import { coveredPeriodText } from "../../text/spans.ts";
import type { TimelineChart, TimelineSpan } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";
import { sayHowMuchIsKnown, sayNothingKnown } from "./nothing-known.ts";

/** When devices were out: how many, how long, and which are still. */
export async function describeOutages(sources: PageSources): Promise<ReportPage> {
  const { period, dataDays, read } = sources;
  const outages = await read({});
  const [uptime = {}] = await read({ report: "uptime" });
  const perDay = await read({ report: "uptime", by: ["date"] });
  const seconds = outages.reduce((sum, { down_seconds }) => sum + Number(down_seconds ?? 0), 0);
  const devices = new Set(outages.map(({ device_id }) => device_id)).size;
  const open = outages.filter(({ is_open }) => is_open === true).length;
  const planned = outages.filter((outage) => outage.planned === true).length;
  const isKnown = outages.length > 0 || uptime.availability != null;
  const when = coveredPeriodText(period, dataDays);
  const still =
    open === 0 ? "none of them is ongoing" : `${countText(open)} ${open === 1 ? "is" : "are"} ongoing`;
  return {
    headline:
      outages.length === 0
        ? ((await sayNothingKnown(sources, uptime, "outages")) ??
          `No device was seen out for 15 minutes or more ${when}.`)
        : `${countOf(outages.length, "outage")} of ${countOf(devices, "device")} ${when}, ${durationText(seconds)} in total${sayHowExact(uptime)}; ${still}.`,
    coverage: sayHowMuchIsKnown(uptime, perDay, daysBetween(period.from, period.to).length),
    facts: [
      {
        figure: "outages",
        value: isKnown ? countText(outages.length) : "not known",
        ...(isKnown && { note: `of ${countOf(devices, "device")}` }),
      },
      { figure: "down_seconds", value: isKnown ? durationText(seconds) : "not known" },
      { figure: "is_open", value: isKnown ? countText(open) : "not known" },
      {
        figure: "planned",
        value: isKnown ? countText(planned) : "not known",
        note: "overlap announced maintenance",
      },
    ],
    charts: outageTimeline(outages, sources),
  };
}

type Row = Record<string, ReportValue>;

/** Devices that are drawn: those that were down longest. */
const shownDevices = 25;

/**
 * When each device was out: rows of the outages report as one line per device. Nothing where there was no outage.
 * @param seen lines below, of what else is known of a single device
 */
export function outageTimeline(
  outages: readonly Row[],
  { period, dataAsOf, now, names, link }: Pick<PageSources, "period" | "dataAsOf" | "now" | "names" | "link">,
  seen: TimelineChart["rows"] = [],
): TimelineChart[] {
  const days = utcDaysOf(period, outages);
  const from = `${days.from}T00:00:00Z`;
  const end = `${addDays(days.to, 1)}T00:00:00Z`;
  const present = `${now.toISOString().slice(0, 19)}Z`;
  const to = end < present ? end : present;
  const beside = seen
    .map((row) => ({ ...row, spans: row.spans.filter((span) => isWithin(span, { from, to })) }))
    .filter(({ spans }) => spans.length > 0);
  const devices = new Map<string, { label: string; seconds: number; outages: Row[] }>();
  for (const outage of outages) {
    const key = String(outage.device_id);
    const device = devices.get(key) ?? {
      label: nameZone(outage, names),
      seconds: 0,
      outages: [],
    };
    device.seconds += Number(outage.down_seconds ?? 0);
    device.outages.push(outage);
    devices.set(key, device);
  }
  if (devices.size === 0 && beside.length === 0) return [];
  const longest = [...devices.values()].sort((a, b) => b.seconds - a.seconds);
  const shown = longest.slice(0, shownDevices);
  const [worst] = shown;
  const left = longest.length > shown.length ? ` The first ${shownDevices} are drawn.` : "";
  const said = worst
    ? `${countOf(outages.length, "outage")} of ${countOf(devices.size, "device")}; ${worst.label} was out longest, ${durationText(worst.seconds)}.`
    : "No outage of 15 minutes or more.";
  return [
    {
      kind: "timeline",
      title:
        beside.length > 0 ? "When the device was up, and when its zone played" : "When devices were down",
      summary: `${said} Days are UTC.${left}`,
      subject: "device",
      from,
      to,
      dataTo: dataAsOf ?? present,
      rows: [
        ...shown.map(({ label, outages: spans }) => {
          const lead = leadOfList("outages", "device_id", spans[0] ?? {}, period);
          return {
            label,
            href: lead && link(lead),
            spans: spans.map((span) => ({
              from: String(span.started_at),
              to: span.ended_at == null ? null : String(span.ended_at),
              ...(isEndUnknown(span) && { overBy: String(span.seen_up_at) }),
              kind: span.planned === true ? ("planned" as const) : ("out" as const),
            })),
          };
        }),
        ...beside,
      ],
    },
  ];
}

/**
 * The period's days in UTC, and one more at either end where an outage reaches into it: local days begin and end at other
 * instants. What an outage has beyond these days is not drawn.
 */
function utcDaysOf({ from, to }: Period, outages: readonly Row[]): Period {
  const starts = outages.map(({ started_at }) => String(started_at).slice(0, "YYYY-MM-DD".length));
  const ends = outages.flatMap(({ ended_at }) =>
    ended_at == null ? [] : [new Date(Date.parse(String(ended_at)) - 1).toISOString().slice(0, 10)],
  );
  return {
    from: starts.some((date) => date < from) ? addDays(from, -1) : from,
    to: [...starts, ...ends].some((date) => date > to) ? addDays(to, 1) : to,
  };
}

/** A look begins and ends at once. */
function isWithin(span: TimelineSpan, { from, to }: { from: string; to: string }): boolean {
  return span.from < to && (span.from >= from || span.to === null || span.to > from);
}
