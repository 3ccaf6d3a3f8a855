import { findListDrillDown } from "../../address/list-drill-down.ts";
import { nameZone } from "../../findings/names.ts";
import type { ReportValue } from "../../report.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import { type HeatCell, type HeatLevel, type HeatMap, palette } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import { chooseSteps, maxDrawnRows } from "./compliance-map.ts";

type Row = Record<string, ReportValue>;

const levels: readonly HeatLevel[] = [
  { label: "up", colour: palette.paleBlue, ink: palette.ink, mark: "✓" },
  { label: "down for some time", colour: palette.paleAmber, ink: palette.ink, mark: "1h" },
  { label: "down for half the time or more", colour: palette.strongOrange, ink: palette.inverse, mark: "9h" },
  { label: "unknown", colour: palette.paleGrey, ink: palette.ink, mark: "?" },
];

/** Draws one line per device and zone, most downtime first, including devices without downtime. */
export async function drawDeviceDays({
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
    limit ${maxDrawnRows}`,
    lines,
  );
  if (shown.length === 0) return [];
  const steps = chooseSteps(period, dataDays);
  const hrefs = shown.map((device) => {
    const target = findListDrillDown("devices", "device_id", device, period);
    return target && link(target);
  });
  const deviceIds = shown.map(({ device_id }) => Number(device_id));
  const days = await read({ by: ["device", "zone", steps.by], deviceIds });
  const dayOf = new Map(days.map((day) => [`${day.device_id} ${day.zone_id} ${day[steps.by]}`, day]));
  const known = Number(total.known_devices);
  const unknown = Number(total.devices) - known;
  const unknownText = unknown === 0 ? "" : ` The state of ${formatQuantity(unknown, "device")} is unknown.`;
  const remainder = Number(total.all_lines) > shown.length ? ` The first ${maxDrawnRows} are shown.` : "";
  return [
    {
      kind: "heat-map",
      title: `Devices ${steps.text}`,
      summary: `${formatCount(Number(total.down_devices))} of ${formatQuantity(known, "device")}${unknown > 0 ? " with a known state" : ""} had downtime.${unknownText}${remainder}${steps.parts === undefined ? "" : ` ${steps.parts}`}`,
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

function formatDeviceDay(day: Row): Pick<HeatCell, "level" | "text" | "description"> {
  const [up, down, unknown] = [getSeconds(day, "up"), getSeconds(day, "down"), getSeconds(day, "unknown")];
  if (up + down === 0) return { level: 3, text: "?", description: "state unknown" };
  const unknownText = unknown > 0 ? `; unknown for ${formatDuration(unknown)}` : "";
  if (down === 0 && unknown > up)
    return { level: 3, text: "?", description: `up for ${formatDuration(up)}${unknownText}` };
  if (down === 0) return { level: 0, text: "✓", description: `no known downtime${unknownText}` };
  return {
    level: down < up ? 1 : 2,
    text: formatBrief(down),
    description: `down for ${formatDuration(down)}${unknownText}`,
  };
}

/** Formats a duration in at most three characters: minutes, hours or days. */
function formatBrief(seconds: number): string {
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))}m`;
  if (seconds < 100 * 3600) return `${Math.round(seconds / 3600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

function getSeconds(row: Row, state: "up" | "down" | "unknown"): number {
  return Number(row[`${state}_seconds`] ?? 0);
}
