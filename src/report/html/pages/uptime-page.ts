import { findListDrillDown } from "../../address/list-drill-down.ts";
import { nameZone } from "../../findings/names.ts";
import { formatNoticeNumbers, listPlannedNotices } from "../../findings/planned-notices.ts";
import { formatKnownDays } from "../../findings/reported-days.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatDuration, formatQuantity } from "../../text/readable-text.ts";
import { type HeatLevel, palette } from "../charts/chart.ts";
import type { PageSources, Row } from "../page-sources.ts";
import { type DayMap, drawDays } from "../read/draw-days.ts";
import { drawOutages } from "../read/draw-outages.ts";
import { createShareChart, listDays } from "../read/draw-steps.ts";
import { mapZones } from "../read/draw-zone-map.ts";
import { describeKnownTime, explainUnknownUptime, readUptime } from "../read/explain-nothing.ts";
import { rankAttributes } from "../read/rank-rows.ts";
import type { PageDeclaration } from "../report-page.ts";

export function declareUptime({ options }: PageSources): PageDeclaration {
  const target = options.failUnder ?? options.availabilityTarget;
  return {
    explain: (page) => explainUnknownUptime(page, "uptime"),
    headline: async (page) => {
      const { total, count, when } = page;
      const { known, days } = await readUptime(page);
      const devices = count("devices");
      const first = `${formatQuantity(devices, "device")} ${devices === 1 ? "was" : "were"} up ${formatPercent(Number(total.availability))} of monitored time${formatKnownDays(known, days)}, ${when}`;
      if (count("down_seconds") === 0) return `${first}; no known downtime.`;
      return `${first}; down for ${formatDuration(count("down_seconds"))}; ${formatQuantity(count("outages"), "outage")} of 15 minutes or more began in this period.`;
    },
    coverage: describeKnownTime,
    facts: [
      {
        figure: "availability",
        note: () => (target === undefined ? undefined : `target ${formatPercent(target)}`),
      },
      {
        figure: "availability_without_planned",
        async note({ mart, options, period }) {
          const planned = await listPlannedNotices(mart, { ...options, by: [] }, period);
          return planned.length > 0 ? formatNoticeNumbers(planned) : undefined;
        },
      },
      { figure: "open_availability" },
      { figure: "outages", note: () => "of 15 minutes or more" },
      { figure: "down_seconds" },
      { figure: "silent_seconds" },
      { figure: "resolution_seconds" },
    ],
    charts: [
      rankAttributes({ title: "Downtime", value: "r.down_seconds", textOf: formatDuration }),
      async (page) => {
        const rows = await page.read({ by: ["date"], measures: ["availability"] });
        const shares = new Map(rows.map((row) => [String(row.date), toNumber(row.availability)]));
        const days = listDays(page, page.period, shares, null);
        return createShareChart({ title: "Availability per day", unit: "availability", target }, days);
      },
      mapZones({
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
      }),
      drawOutages,
      drawDays([devices]),
    ],
  };
}

const levels: readonly HeatLevel[] = [
  { label: "up", colour: palette.paleBlue, ink: palette.ink, mark: "✓" },
  { label: "down for some time", colour: palette.paleAmber, ink: palette.ink, mark: "1h" },
  { label: "down for half the time or more", colour: palette.strongOrange, ink: palette.inverse, mark: "9h" },
  { label: "unknown", colour: palette.paleGrey, ink: palette.ink, mark: "?" },
];

const devices: DayMap = {
  title: "Devices",
  by: ["device", "zone"],
  keys: ["device_id", "zone_id"],
  subject: "device",
  problem: "downtime",
  measures: ["up_seconds", "down_seconds", "unknown_seconds"],
  bad: "r.down_seconds",
  known: "r.up_seconds + r.down_seconds",
  order: "unknown_seconds desc, zone_id, device_id",
  select: (deviceIds) => ({ deviceIds }),
  levels,
  labelOf: (row, { names }) => nameZone(row, names),
  addressOf: (row, { period }) => findListDrillDown("devices", "device_id", row, period),
  cellOf(row = {}) {
    const [up, down, unknown] = [row.up_seconds, row.down_seconds, row.unknown_seconds].map((value) =>
      Number(value ?? 0),
    ) as [number, number, number];
    if (up + down === 0) return { level: 3, text: "?", description: "state unknown" };
    const unknownText = unknown > 0 ? `; unknown for ${formatDuration(unknown)}` : "";
    if (down === 0 && unknown > up)
      return { level: 3, text: "?", description: `up for ${formatDuration(up)}${unknownText}` };
    if (down === 0) return { level: 0, text: "✓", description: `no known downtime${unknownText}` };
    const description = `down for ${formatDuration(down)}${unknownText}`;
    return { level: down < up ? 1 : 2, text: formatBrief(down), description };
  },
};

/** Formats a duration in at most three characters: minutes, hours or days. */
function formatBrief(seconds: number): string {
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))}m`;
  if (seconds < 100 * 3600) return `${Math.round(seconds / 3600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

function toNumber(value: Row[string] | undefined): number | null {
  return value == null ? null : Number(value);
}
