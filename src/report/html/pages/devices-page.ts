import { leadOfList } from "../../address/lead-of-list.ts";
import { ageText, getDevicesAsOf, hoursSince, isStale } from "../../findings/data-as-of.ts";
import { sayNoDevices } from "../../findings/device-checks.ts";
import { findDeviceStates, sayDeviceStates } from "../../findings/device-states.ts";
import { nameZone } from "../../findings/names.ts";
import type { ReportValue } from "../../report.ts";
import { countOf, countText, durationText } from "../../text/people-text.ts";
import type { RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

type Row = Record<string, ReportValue>;

const shownDevices = 15;

/** How devices are now: which are down, which are silent, and where storage runs out. */
export async function describeDevices({
  mart,
  names,
  options,
  read,
  period,
  now,
  link,
}: PageSources): Promise<ReportPage> {
  const devices = await read({});
  const states = await findDeviceStates(mart, devices);
  const { down, silent, unknown } = states;
  const withError = devices.filter(({ last_sd_error }) => last_sd_error != null);
  const hrefOf = (device: Row) => {
    const lead = leadOfList("devices", "device_id", device, period);
    return lead && link(lead);
  };
  const known = devices.length - unknown.length;
  const checked = await getDevicesAsOf(mart, options, { history: false, notices: false });
  const said = sayDeviceStates(states);
  const dated =
    checked !== null && isStale(checked, now)
      ? `As of ${ageText(hoursSince(checked, now))} ago, ${said.charAt(0).toLowerCase()}${said.slice(1)}`
      : said;
  const errors = `${withError.length === 0 ? "none" : countText(withError.length)} had a storage error at some time`;
  return {
    headline: devices.length === 0 ? sayNoDevices(options) : `${dated}; ${errors}.`,
    coverage: `the state of ${countText(known)} of ${countOf(devices.length, "device")} is known`,
    facts:
      devices.length === 0
        ? []
        : [
            { figure: "devices", value: countText(devices.length) },
            {
              figure: "devices_down",
              value: known === 0 ? "not known" : countText(down.length),
              ...(unknown.length > 0 && known > 0 && { note: `of ${countText(known)} with a known state` }),
            },
            { figure: "devices_silent", value: countText(silent.length) },
            { figure: "devices_with_storage_error", value: countText(withError.length) },
          ],
    charts: [
      ...ranking(
        { devices, names },
        { title: "Down for longest", column: "down_for_seconds", heading: "down for" },
        hrefOf,
      ),
      ...ranking(
        { devices, names },
        { title: "Silent for longest", column: "silent_for_seconds", heading: "silent for" },
        hrefOf,
      ),
    ],
  };
}

function ranking(
  { devices, names }: { devices: readonly Row[] } & Pick<PageSources, "names">,
  { title, column, heading }: { title: string; column: string; heading: string },
  hrefOf: (device: Row) => string | undefined,
): RankingChart[] {
  const rows = devices
    .filter((device) => Number(device[column] ?? 0) > 0)
    .map((device) => ({
      label: nameZone(device, names),
      value: Number(device[column]),
      href: hrefOf(device),
    }))
    .sort((a, b) => b.value - a.value);
  if (rows.length === 0) return [];
  const shown = rows.slice(0, shownDevices);
  const [first] = shown;
  return [
    {
      kind: "ranking",
      title,
      summary: `${countOf(rows.length, "device")}; ${first?.label} most, ${durationText(first?.value ?? 0)}.`,
      headings: ["zone", heading],
      rows: shown.map((row) => ({ ...row, text: durationText(row.value) })),
    },
  ];
}
