import { findListDrillDown } from "../../address/list-drill-down.ts";
import { nameZone } from "../../findings/names.ts";
import type { ReportValue } from "../../report.ts";
import { countOf, countText, durationText } from "../../text/readable-text.ts";
import { type HeatCell, type HeatLevel, type HeatMap, palette } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import { shownRows, stepsOf } from "./compliance-map.ts";

type Row = Record<string, ReportValue>;

const levels: readonly HeatLevel[] = [
  { label: "up", colour: palette.paleBlue, ink: palette.ink, mark: "✓" },
  { label: "down for some time", colour: palette.paleAmber, ink: palette.ink, mark: "1h" },
  { label: "down for half the time or more", colour: palette.strongOrange, ink: palette.inverse, mark: "9h" },
  { label: "not known", colour: palette.paleGrey, ink: palette.ink, mark: "?" },
];

/** Draws devices, most downtime first, even without any; one that moved has a line per zone. */
export async function deviceDays({
  period,
  dataDays,
  names,
  aggregate,
  read,
  link,
}: PageSources): Promise<HeatMap[]> {
  const lines = { by: ["device", "zone"] };
  const [total = {}] = await aggregate(
    (rows) => `select
      count(*) as all_lines,
      count(distinct device_id) as devices,
      count(distinct case when down_seconds > 0 then device_id end) as down_devices,
      count(distinct case when up_seconds + down_seconds > 0 then device_id end) as known_devices
    from ${rows}`,
    lines,
  );
  const shown = await aggregate(
    (rows) => `select device_id, zone_id, zone_name
    from ${rows}
    order by down_seconds desc, unknown_seconds desc, zone_id, device_id
    limit ${shownRows}`,
    lines,
  );
  if (shown.length === 0) return [];
  const steps = stepsOf(period, dataDays);
  const hrefs = shown.map((device) => {
    const lead = findListDrillDown("devices", "device_id", device, period);
    return lead && link(lead);
  });
  const deviceIds = shown.map(({ device_id }) => Number(device_id));
  const days = await read({ by: ["device", "zone", steps.by], deviceIds });
  const dayOf = new Map(days.map((day) => [`${day.device_id} ${day.zone_id} ${day[steps.by]}`, day]));
  const known = Number(total.known_devices);
  const unknown = Number(total.devices) - known;
  const rest = unknown === 0 ? "" : ` The state of ${countOf(unknown, "device")} is not known.`;
  const left = Number(total.all_lines) > shown.length ? ` The first ${shownRows} are shown.` : "";
  return [
    {
      kind: "heat-map",
      title: `Devices ${steps.text}`,
      summary: `${countText(Number(total.down_devices))} of ${countOf(known, "device")}${unknown > 0 ? " with a known state" : ""} had downtime.${rest}${left}${steps.parts === undefined ? "" : ` ${steps.parts}`}`,
      subject: "device",
      rows: shown.map((row, index) => ({ label: nameZone(row, names), href: hrefs[index] })),
      dates: steps.dates,
      data: steps.data,
      levels,
      cells: shown.flatMap((device, row) =>
        steps.dates.flatMap((date, day) => {
          if (steps.data[day] === "none") return [];
          return [
            {
              row,
              day,
              href: hrefs[row],
              ...formatDeviceDay(dayOf.get(`${device.device_id} ${device.zone_id} ${date}`) ?? {}),
            },
          ];
        }),
      ),
    },
  ];
}

function formatDeviceDay(day: Row): Pick<HeatCell, "level" | "text" | "said"> {
  const [up, down, unknown] = [secondsOf(day, "up"), secondsOf(day, "down"), secondsOf(day, "unknown")];
  if (up + down === 0) return { level: 3, text: "?", said: "state not known" };
  const rest = unknown > 0 ? `; not known for ${durationText(unknown)}` : "";
  if (down === 0 && unknown > up) return { level: 3, text: "?", said: `up for ${durationText(up)}${rest}` };
  if (down === 0) return { level: 0, text: "✓", said: `no known downtime${rest}` };
  return { level: down < up ? 1 : 2, text: briefly(down), said: `down for ${durationText(down)}${rest}` };
}

/** At most three characters: minutes, hours or days. */
function briefly(seconds: number): string {
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))}m`;
  if (seconds < 100 * 3600) return `${Math.round(seconds / 3600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

function secondsOf(row: Row, state: "up" | "down" | "unknown"): number {
  return Number(row[`${state}_seconds`] ?? 0);
}
