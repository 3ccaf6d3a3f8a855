import type { ReportRequest } from "../../../report/options/report-options.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import type { ReportColumn, ReportRow } from "../../../report/report.ts";
import type { ReportName } from "../../../report/report-name.ts";
import { reports } from "../../../report/reports.ts";
import { formatInstant } from "../../../report/text/cell-text.ts";
import type { EvaluateOptions } from "./evaluation.ts";
import type { Comparison } from "./read-rules.ts";
import type { RowReader } from "./view-rows.ts";

interface KnownDevices {
  /** Devices that were checked recently enough. */
  fresh: ReadonlySet<string>;
  /** Fresh devices with a known status. The report does not show it for silent devices. */
  known: ReadonlySet<string>;
}

/** Finds the devices that can be judged; none for reports other than `devices`. */
export async function findKnownDevices(
  mart: PublishedMart,
  report: ReportName,
  { settings, now }: EvaluateOptions,
): Promise<KnownDevices> {
  if (report !== "devices") return { fresh: new Set(), known: new Set() };
  const limitHours = settings.get("VENUE_FRESHNESS").devices ?? Number.POSITIVE_INFINITY;
  const seen = await mart.all<{ device_id: number; last_seen_at: string; state: string }>(
    "select device_id, last_seen_at, state from dim_device",
  );
  const fresh = seen.filter(
    ({ last_seen_at: at }) => now.getTime() - Date.parse(formatInstant(at)) <= limitHours * 3_600_000,
  );
  const idsOf = (rows: typeof seen) => new Set(rows.map(({ device_id: id }) => String(id)));
  return { fresh: idsOf(fresh), known: idsOf(fresh.filter(({ state }) => state !== "unknown")) };
}

/** Figures that are blank for devices that are not down, and campaigns whose end is not known. */
const blankMeansNone = ["down_for_seconds", "ends_in_days"];

/** Returns a function that is false for rows with too little data to be good or bad. */
export function createJudge(
  { report, onlyStates = [] }: ReportRequest,
  reader: RowReader,
  {
    comparison,
    columns,
    devices,
  }: {
    comparison: Comparison | undefined;
    columns: readonly ReportColumn[];
    devices: KnownDevices;
  },
): (row: ReportRow) => boolean {
  // Null if a row can't be judged.
  const share = reports[report].threshold;
  const compared = columns.find(({ name }) => name === comparison?.column);
  const isBlankUnknown = compared !== undefined && !blankMeansNone.includes(compared.name);
  const hasValue = (row: ReportRow) =>
    (share === undefined || reader.valueOf(row, share) !== null) &&
    (!isBlankUnknown || reader.valueOf(row, compared.name) !== null);
  if (report !== "devices") return hasValue;
  const asked: readonly string[] = onlyStates;
  // A zone's silence follows from its plays, whatever the status of its device.
  const isSilence =
    compared?.name === "silent_for_seconds" ||
    (asked.length > 0 && asked.every((state) => state === "silent"));
  return (row) => {
    const id = String(reader.valueOf(row, "device_id"));
    if (!devices.fresh.has(id) || !hasValue(row)) return false;
    if (isSilence || asked.includes("unknown") || devices.known.has(id)) return true;
    return reader.valueOf(row, "state") === "silent" && asked.includes("silent");
  };
}
