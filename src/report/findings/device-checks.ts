import { addDays } from "../../util/local-date.ts";
import { figureOf } from "../figures.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, ReportValue } from "../report.ts";
import { countOf, countText, dayText, durationText } from "../text/people-text.ts";
import type { ReportedDays } from "./reported-days.ts";

/** Says so when no device was ever checked in the chosen zones: an empty report would puzzle. */
export async function noteNoDevices(mart: PublishedMart, options: ReportOptions): Promise<string[]> {
  const { devices } = await countChecked(mart, options);
  return devices === 0 ? [sayNoDevices(options)] : [];
}

/** Says so when no device was checked twice: only then is something known of the time between. */
export async function noteTooFewChecks(mart: PublishedMart, options: ReportOptions): Promise<string[]> {
  const { devices, compared } = await countChecked(mart, options);
  if (devices === 0) return [sayNoDevices(options)];
  return compared === 0 ? ["Devices were checked once; uptime needs two checks."] : [];
}

async function countChecked(
  mart: PublishedMart,
  { groupIds, zoneIds, locationIds }: ReportOptions,
): Promise<{ devices: number; compared: number }> {
  const [counted] = await mart.all<{ devices: number; compared: number }>(
    ...reportStatement("device_checks", { groupIds, zoneIds, locationIds }),
  );
  return counted ?? { devices: 0, compared: 0 };
}

export function sayNoDevices({ groupIds, zoneIds, locationIds }: ReportOptions): string {
  const isFiltered = [groupIds, zoneIds, locationIds].some((ids) => ids.length > 0);
  return isFiltered
    ? "No device has been checked yet in these zones."
    : "No device has been checked yet: each `venue run` checks them.";
}

type Row = Readonly<Record<string, ReportValue>>;

/**
 * What follows a length of outages: nobody sees between two checks. Empty where it is not known how far they lie apart.
 * @param uptime of the same zones and days
 */
export function sayHowExact({ resolution_seconds }: Row): string {
  return resolution_seconds == null
    ? ""
    : `, as far as checks every ${roundText(resolution_seconds)} can tell`;
}

/** Whether the next check came too late to tell when the device came back. Instants as `YYYY-MM-DDTHH:MM:SSZ`. */
export function isEndUnknown({ ended_at, seen_up_at }: Row): boolean {
  return ended_at != null && seen_up_at != null && String(seen_up_at) > String(ended_at);
}

/** Limits of a list of outages, one sentence each. */
export async function noteOutages(
  mart: PublishedMart,
  { top: _top, ...options }: ReportOptions,
  { period, dataDays }: ReportedDays,
): Promise<string[]> {
  const read = (days: Period) => mart.all<Row>(...reportStatement("outages", { ...options, period: days }));
  const listed = await read(period);
  const lastDay = options.to === undefined ? dataDays?.partTo : undefined;
  return [
    ...(await noteExactness(mart, options, period)),
    ...noteUnknownEnds(listed),
    ...(lastDay !== undefined && lastDay > period.to
      ? noteLater(listed, await read({ from: addDays(period.to, 1), to: lastDay }), { period, lastDay })
      : []),
  ];
}

async function noteExactness(mart: PublishedMart, whole: ReportOptions, period: Period): Promise<string[]> {
  const uptime = (by: string[]) => mart.all<Row>(...reportStatement("uptime", { ...whole, period, by }));
  const devices = (await uptime(["device"])).filter(({ down_seconds }) => Number(down_seconds ?? 0) > 0);
  if (devices.length === 0) return [];
  const [{ resolution_seconds: resolution } = {}] = await uptime([]);
  const playing = devices.filter((row) => Number(row.playing_while_down_seconds ?? 0) > 0);
  const seconds = playing.reduce((sum, row) => sum + Number(row.playing_while_down_seconds), 0);
  return [
    ...(resolution == null
      ? []
      : [
          `An outage lasts from when the device was last online to the next check that found it up. Checks are usually ${roundText(resolution)} apart: it may have been shorter by as much.`,
        ]),
    ...(playing.length === 0
      ? []
      : [
          `${devices.length === 1 ? "The zone" : `The zone of ${countText(playing.length)} of ${countOf(devices.length, "device")}`} played for ${durationText(seconds)} while the device counted as down: it may have been up.`,
        ]),
  ];
}

function noteUnknownEnds(listed: readonly Row[]): string[] {
  const count = listed.filter(isEndUnknown).length;
  if (count === 0) return [];
  return [
    `For ${countOf(count, "outage")} the next check came too late to tell when the device came back: it was between "${figureOf("ended_at", "outages").label}" and "${figureOf("seen_up_at", "outages").label}".`,
  ];
}

/** The default period ends with the last complete day: a device that went down since is not in the list. */
function noteLater(
  listed: readonly Row[],
  later: readonly Row[],
  { period, lastDay }: { period: Period; lastDay: string },
): string[] {
  const findDown = (rows: readonly Row[]) =>
    new Set(rows.flatMap(({ is_open, device_id }) => (is_open === true ? [device_id] : [])));
  const known = findDown(listed);
  const devices = [...findDown(later)].filter((device) => !known.has(device)).length;
  if (devices === 0) return [];
  const [are, them] = devices === 1 ? ["is", "it"] : ["are", "them"];
  return [
    `${countOf(devices, "device")} went down after ${dayText(period.to)}, the last complete day, and ${are} still down. Add --to ${lastDay} to list ${them}.`,
  ];
}

/** E.g. `6 h`; minutes where there are some. */
function roundText(seconds: ReportValue): string {
  return durationText(Number(seconds)).replace(/\s0\s\w+$/, "");
}
