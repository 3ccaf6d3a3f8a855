import { toAddress } from "../../address/address.ts";
import { findListDrillDown } from "../../address/list-drill-down.ts";
import { formatAge, getDevicesAsOf, hoursSince, isStale } from "../../findings/data-as-of.ts";
import { explainMissingDevices } from "../../findings/device-checks.ts";
import { findDeviceStates, summarizeDeviceStates } from "../../findings/device-states.ts";
import { nameZone } from "../../findings/names.ts";
import type { RowState } from "../../row-states.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import type { RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

const maxDrawnDevices = 15;

export async function describeDevices(sources: PageSources): Promise<ReportPage> {
  const { mart, options, now, request, link } = sources;
  // Headline, figures and charts cover all devices, even if `--only` limits the rows.
  const states = await findDeviceStates(mart, options);
  const { devices, down, silent, unknown, with_error: withError } = states;
  const known = devices - unknown;
  const checked = await getDevicesAsOf(mart, options, { history: false, notices: false });
  const summary = summarizeDeviceStates(states);
  const datedSummary =
    checked !== null && isStale(checked, now)
      ? `As of ${formatAge(hoursSince(checked, now))} ago, ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
      : summary;
  const errors = `${withError === 0 ? "none has ever" : `${formatCount(withError)} ${withError === 1 ? "has" : "have"}`} had a storage error`;
  const { top: _top, sort: _sort, search: _search, ...whole } = request;
  const hrefOf = (state: RowState, count: number) =>
    count === 0 ? undefined : link(toAddress({ ...whole, onlyStates: [state] }));
  return {
    headline: devices === 0 ? explainMissingDevices(options) : `${datedSummary}; ${errors}.`,
    coverage: `the state of ${formatCount(known)} of ${formatQuantity(devices, "device")} is known`,
    facts:
      devices === 0
        ? []
        : [
            { figure: "devices", value: formatCount(devices) },
            {
              figure: "devices_down",
              value: known === 0 ? "unknown" : formatCount(down),
              href: hrefOf("down", down),
              ...(unknown > 0 && known > 0 && { note: `of ${formatCount(known)} with a known state` }),
            },
            { figure: "devices_silent", value: formatCount(silent), href: hrefOf("silent", silent) },
            { figure: "devices_with_storage_error", value: formatCount(withError) },
          ],
    charts: [
      ...(await drawRanking(sources, {
        title: "Down longest",
        column: "down_for_seconds",
        devices: states.down_for,
        heading: "down for",
      })),
      ...(await drawRanking(sources, {
        title: "Silent longest",
        column: "silent_for_seconds",
        devices: states.silent_for,
        heading: "silent for",
      })),
    ],
  };
}

async function drawRanking(
  { aggregate, names, period, link }: PageSources,
  { title, column, devices, heading }: { title: string; column: string; devices: number; heading: string },
): Promise<RankingChart[]> {
  const found = await aggregate(
    (rows) => `select zone_id, zone_name, device_id, ${column}
      from ${rows}
      where ${column} > 0
      order by
        ${column} desc,
        coalesce(down_for_seconds, 0) desc,
        coalesce(silent_for_seconds, 0) desc,
        zone_id,
        device_id
      limit ${maxDrawnDevices}`,
    { onlyStates: [] },
  );
  const rows = found.map((device) => {
    const target = findListDrillDown("devices", "device_id", device, period);
    const value = Number(device[column]);
    return {
      label: nameZone(device, names),
      value,
      text: formatDuration(value),
      href: target && link(target),
    };
  });
  const [first] = rows;
  if (first === undefined) return [];
  return [
    {
      kind: "ranking",
      title,
      summary: `${formatQuantity(devices, "device")}; longest: ${first.label}, ${first.text}.`,
      headings: ["zone", heading],
      rows,
    },
  ];
}
