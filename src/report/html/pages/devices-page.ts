import { findListDrillDown } from "../../address/list-drill-down.ts";
import { formatAge, getDevicesAsOf, hoursSince, isStale } from "../../findings/data-as-of.ts";
import { explainMissingDevices } from "../../findings/device-checks.ts";
import { findDeviceStates, summarizeDeviceStates } from "../../findings/device-states.ts";
import { nameZone } from "../../findings/names.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import type { PageSources } from "../page-sources.ts";
import { rank } from "../read/rank-rows.ts";
import type { PageDeclaration, ReadCharts } from "../report-page.ts";

/** Headline, key numbers and charts cover all devices, even if `--only` limits the rows. */
export async function declareDevices({ mart, options, now }: PageSources): Promise<PageDeclaration> {
  const states = await findDeviceStates(mart, options);
  const { devices, unknown, with_error: withError } = states;
  const known = devices - unknown;
  return {
    total: async () => ({
      devices,
      devices_down: known === 0 ? null : states.down,
      devices_silent: states.silent,
      devices_with_storage_error: withError,
    }),
    explain: async () => (devices === 0 ? explainMissingDevices(options) : undefined),
    async headline() {
      const checked = await getDevicesAsOf(mart, options, { history: false, notices: false });
      const summary = summarizeDeviceStates(states);
      const dated =
        checked !== null && isStale(checked, now)
          ? `As of ${formatAge(hoursSince(checked, now))} ago, ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
          : summary;
      return `${dated}; ${withError === 0 ? "none has ever" : `${formatCount(withError)} ${withError === 1 ? "has" : "have"}`} had a storage error.`;
    },
    coverage: () => `the state of ${formatCount(known)} of ${formatQuantity(devices, "device")} is known`,
    facts: [
      { figure: "devices" },
      {
        figure: "devices_down",
        rows: { state: "down", by: [] },
        note: () => (unknown > 0 && known > 0 ? `of ${formatCount(known)} with a known state` : undefined),
      },
      { figure: "devices_silent", rows: { state: "silent", by: [] } },
      { figure: "devices_with_storage_error" },
    ],
    charts: [rankSeconds("Down longest", "down_for"), rankSeconds("Silent longest", "silent_for")],
  };
}

function rankSeconds(title: string, state: "down_for" | "silent_for"): ReadCharts {
  return rank({
    title,
    value: `r.${state}_seconds`,
    where: `r.${state}_seconds > 0`,
    order: "coalesce(down_for_seconds, 0) desc, coalesce(silent_for_seconds, 0) desc",
    keys: ["zone_id", "device_id"],
    changes: { onlyStates: [] },
    headings: ["zone", state.replace("_", " ")],
    rows: (count) => formatQuantity(count, "device"),
    textOf: formatDuration,
    labelOf: (row, { names }) => nameZone(row, names),
    addressOf: (row, { period }) => findListDrillDown("devices", "device_id", row, period),
  });
}
