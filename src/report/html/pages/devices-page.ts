import { findListDrillDown } from "../../address/list-drill-down.ts";
import { ageText, getDevicesAsOf, hoursSince, isStale } from "../../findings/data-as-of.ts";
import { explainMissingDevices } from "../../findings/device-checks.ts";
import { findDeviceStates, summarizeDeviceStates } from "../../findings/device-states.ts";
import { nameZone } from "../../findings/names.ts";
import { countOf, countText, durationText } from "../../text/readable-text.ts";
import type { RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

const shownDevices = 15;

export async function describeDevices(sources: PageSources): Promise<ReportPage> {
  const { mart, options, now } = sources;
  const states = await findDeviceStates(mart, options);
  const { devices, down, silent, unknown, with_error: withError } = states;
  const known = devices - unknown;
  const checked = await getDevicesAsOf(mart, options, { history: false, notices: false });
  const said = summarizeDeviceStates(states);
  const dated =
    checked !== null && isStale(checked, now)
      ? `As of ${ageText(hoursSince(checked, now))} ago, ${said.charAt(0).toLowerCase()}${said.slice(1)}`
      : said;
  const errors = `${withError === 0 ? "none has ever" : `${countText(withError)} ${withError === 1 ? "has" : "have"}`} had a storage error`;
  return {
    headline: devices === 0 ? explainMissingDevices(options) : `${dated}; ${errors}.`,
    coverage: `the state of ${countText(known)} of ${countOf(devices, "device")} is known`,
    facts:
      devices === 0
        ? []
        : [
            { figure: "devices", value: countText(devices) },
            {
              figure: "devices_down",
              value: known === 0 ? "not known" : countText(down),
              ...(unknown > 0 && known > 0 && { note: `of ${countText(known)} with a known state` }),
            },
            { figure: "devices_silent", value: countText(silent) },
            { figure: "devices_with_storage_error", value: countText(withError) },
          ],
    charts: [
      ...(await ranking(sources, {
        title: "Down longest",
        column: "down_for_seconds",
        devices: states.down_for,
        heading: "down for",
      })),
      ...(await ranking(sources, {
        title: "Silent longest",
        column: "silent_for_seconds",
        devices: states.silent_for,
        heading: "silent for",
      })),
    ],
  };
}

async function ranking(
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
      limit ${shownDevices}`,
  );
  const rows = found.map((device) => {
    const lead = findListDrillDown("devices", "device_id", device, period);
    const value = Number(device[column]);
    return { label: nameZone(device, names), value, text: durationText(value), href: lead && link(lead) };
  });
  const [first] = rows;
  if (first === undefined) return [];
  return [
    {
      kind: "ranking",
      title,
      summary: `${countOf(devices, "device")}; ${first.label} most, ${first.text}.`,
      headings: ["zone", heading],
      rows,
    },
  ];
}
