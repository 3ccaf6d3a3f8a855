import { addDays } from "../../../util/local-date.ts";
import { leadOfList } from "../../address/lead-of-list.ts";
import { nameZone } from "../../findings/equal-names.ts";
import type { ReportValue } from "../../report.ts";
import { countOf, durationText } from "../../text/people-text.ts";
import type { TimelineChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";

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
  const { from, to } = period;
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
  if (devices.size === 0 && seen.length === 0) return [];
  const longest = [...devices.values()].sort((a, b) => b.seconds - a.seconds);
  const shown = longest.slice(0, shownDevices);
  const [worst] = shown;
  const end = `${addDays(to, 1)}T00:00:00Z`;
  const present = `${now.toISOString().slice(0, 19)}Z`;
  const left = longest.length > shown.length ? ` The first ${shownDevices} are drawn.` : "";
  const said = worst
    ? `${countOf(outages.length, "outage")} of ${countOf(devices.size, "device")}; ${worst.label} was out longest, ${durationText(worst.seconds)}.`
    : "No outage of 15 minutes or more.";
  return [
    {
      kind: "timeline",
      title: seen.length > 0 ? "When the device was up, and when its zone played" : "When devices were down",
      summary: `${said} Days are UTC.${left}`,
      subject: "device",
      from: `${from}T00:00:00Z`,
      to: end < present ? end : present,
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
              kind: span.planned === true ? ("planned" as const) : ("out" as const),
            })),
          };
        }),
        ...seen,
      ],
    },
  ];
}
