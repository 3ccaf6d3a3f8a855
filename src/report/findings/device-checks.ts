import { outages } from "../catalog/outages.ts";
import { uptime } from "../catalog/uptime.ts";
import { getFigure } from "../figures.ts";
import { buildAggregate, buildStatement, type StatementOptions } from "../options/build-statement.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, ReportValue } from "../result-types.ts";
import { formatCount, formatDay, formatDuration, formatQuantity } from "../text/readable-text.ts";
import type { ReportedDays } from "./reported-days.ts";

/** Returns a note if no device was ever checked in the requested zones, to explain an empty report. */
export async function noteNoDevices(mart: PublishedMart, options: ReportOptions): Promise<string[]> {
  const { devices } = await countCheckedDevices(mart, options);
  return devices === 0 ? [explainMissingDevices(options)] : [];
}

/** Returns a note if no device was checked twice: uptime is measured between checks. */
export async function noteTooFewChecks(
  mart: PublishedMart,
  options: ReportOptions,
  period: Period,
): Promise<string[]> {
  const { devices, compared } = await countCheckedDevices(mart, { ...options, period });
  if (devices === 0) return [explainMissingDevices(options)];
  return compared === 0 ? ["Devices were checked only once; uptime needs two checks."] : [];
}

async function countCheckedDevices(
  mart: PublishedMart,
  inputs: StatementOptions,
): Promise<{ devices: number; compared: number }> {
  const [counted] = await mart.all<{ devices: number; compared: number }>(
    ...buildStatement("device_checks", inputs),
  );
  return counted ?? { devices: 0, compared: 0 };
}

export function explainMissingDevices({ groupIds, zoneIds, locationIds, attributes }: ReportOptions): string {
  const values = attributes.flatMap((attribute) => attribute.values);
  const isFiltered = [groupIds, zoneIds, locationIds, values].some((chosen) => chosen.length > 0);
  return isFiltered
    ? "No device has been checked yet in these zones."
    : "No device has been checked yet; each `venue run` checks all devices.";
}

type Row = Readonly<Record<string, ReportValue>>;

/** Returns a suffix with the check interval, which limits the precision of outages; empty if unknown. */
export function formatPrecision({ resolution_seconds }: Row): string {
  return resolution_seconds == null
    ? ""
    : ` (devices are checked every ${formatRounded(resolution_seconds)})`;
}

/**
 * Returns true if the next check came too late to show when the outage ended. Instants are
 * `YYYY-MM-DDTHH:MM:SSZ`.
 */
export function isEndUnknown({ ended_at, seen_up_at }: Row): boolean {
  return ended_at != null && seen_up_at != null && String(seen_up_at) > String(ended_at);
}

export async function noteOutages(
  mart: PublishedMart,
  { top: _top, ...options }: ReportOptions,
  { period, dataDays }: ReportedDays,
): Promise<string[]> {
  const counted = await countOutages(mart, { ...options, period });
  const lastDay = options.to === undefined ? dataDays?.partTo : undefined;
  const isLater = lastDay !== undefined && lastDay > period.to;
  const all =
    isLater && (await countOutages(mart, { ...options, period: { from: period.from, to: lastDay } }));
  return [
    ...(await notePrecision(mart, { ...options, period })),
    ...noteUnknownEnds(counted.unknown_ends),
    ...(all ? noteLaterOutages(all.open_devices - counted.open_devices, { period, lastDay }) : []),
  ];
}

interface CountedOutages {
  /** Outages for which `isEndUnknown` is true. */
  unknown_ends: number;
  open_devices: number;
}

async function countOutages(mart: PublishedMart, inputs: StatementOptions): Promise<CountedOutages> {
  const [counted] = await mart.all<CountedOutages>(
    ...buildAggregate(
      outages,
      inputs,
      (rows) => `select
        count(case when seen_up_at > ended_at then 1 end) as unknown_ends,
        count(distinct case when is_open then device_id end) as open_devices
      from ${rows}`,
    ),
  );
  return counted ?? { unknown_ends: 0, open_devices: 0 };
}

async function notePrecision(mart: PublishedMart, inputs: StatementOptions): Promise<string[]> {
  const [total] = await mart.all<{ devices: number; playing_devices: number; seconds: number | null }>(
    ...buildAggregate(
      uptime,
      { ...inputs, by: ["device"], measures: ["down_seconds", "playing_while_down_seconds"] },
      (rows) => `select
        count(*) as devices,
        count(case when playing_while_down_seconds > 0 then 1 end) as playing_devices,
        sum(playing_while_down_seconds) as seconds
      from ${rows}
      where down_seconds > 0`,
    ),
  );
  const {
    devices,
    playing_devices: playing,
    seconds,
  } = total ?? { devices: 0, playing_devices: 0, seconds: 0 };
  if (devices === 0) return [];
  const [{ resolution_seconds: resolution } = {}] = await mart.all<Row>(
    ...buildStatement(uptime, { ...inputs, by: [], measures: ["resolution_seconds"] }),
  );
  return [
    ...(resolution == null
      ? []
      : [
          `An outage lasts from when the device was last online to the next check that found it up. Checks are usually ${formatRounded(resolution)} apart, so it may have been shorter by that much.`,
        ]),
    ...(playing === 0
      ? []
      : [
          `${devices === 1 ? "The zone" : `The zone of ${formatCount(playing)} of ${formatQuantity(devices, "device")}`} played for ${formatDuration(Number(seconds))} while the device was recorded as down; it may have been up.`,
        ]),
  ];
}

function noteUnknownEnds(count: number): string[] {
  if (count === 0) return [];
  return [
    `For ${formatQuantity(count, "outage")}, the next check came too late to show when the device came back: it was between "${getFigure("ended_at", "outages").label}" and "${getFigure("seen_up_at", "outages").label}".`,
  ];
}

/** Returns a note on devices that went down after the default period, which ends with the last complete day. */
function noteLaterOutages(
  devices: number,
  { period, lastDay }: { period: Period; lastDay: string },
): string[] {
  if (devices === 0) return [];
  const [are, them] = devices === 1 ? ["is", "it"] : ["are", "them"];
  return [
    `${formatQuantity(devices, "device")} went down after ${formatDay(period.to)}, the last complete day, and ${are} still down. Add --to ${lastDay} to list ${them}.`,
  ];
}

/** Formats a duration, e.g. `6 h`; omits minutes if they are 0. */
function formatRounded(seconds: ReportValue): string {
  return formatDuration(Number(seconds)).replace(/\s0\s\w+$/, "");
}
