import { leadOfList } from "../../address/lead-of-list.ts";
import { sayNoDevices } from "../../findings/device-checks.ts";
import { nameZone } from "../../findings/equal-names.ts";
import type { ReportValue } from "../../report.ts";
import { countOf, countText, durationText } from "../../text/people-text.ts";
import type { RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

type Row = Record<string, ReportValue>;

const shownDevices = 15;

/** How devices are now: which are down, which are up yet silent, and where storage runs out. */
export async function describeDevices({
  names,
  options,
  read,
  period,
  link,
}: PageSources): Promise<ReportPage> {
  const devices = await read({});
  const down = devices.filter(({ state }) => state === "down");
  const silent = devices.filter(({ state }) => state === "silent");
  const withError = devices.filter(({ last_sd_error }) => last_sd_error != null);
  const hrefOf = (device: Row) => {
    const lead = leadOfList("devices", "device_id", device, period);
    return lead && link(lead);
  };
  const known = devices.filter(({ status, state }) => status != null && state !== "unknown");
  return {
    headline:
      devices.length === 0
        ? sayNoDevices(options)
        : headline(devices.length, down.length, silent.length, withError.length),
    coverage: `the state of ${countText(known.length)} of ${countOf(devices.length, "device")} is known`,
    facts: [
      { figure: "devices", value: countText(devices.length) },
      { figure: "devices_down", value: countText(down.length) },
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

function headline(devices: number, down: number, silent: number, withError: number): string {
  const first = `${down === 0 ? "None" : countText(down)} of ${countOf(devices, "device")} ${down > 1 ? "are" : "is"} down`;
  const quiet = silent === 0 ? "" : `, ${countText(silent)} ${silent === 1 ? "is" : "are"} up but silent`;
  return `${first}${quiet}; ${withError === 0 ? "none" : countText(withError)} had a storage error at some time.`;
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
