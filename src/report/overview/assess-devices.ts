import { listDaysBetween } from "../../util/local-date.ts";
import { formatPrecision } from "../findings/device-checks.ts";
import {
  findDeviceStates,
  listUnknownStatuses,
  recentDays,
  summarizeDeviceStates,
} from "../findings/device-states.ts";
import { nameZone } from "../findings/names.ts";
import { countKnownDays, formatKnownDays, type ReportedDays } from "../findings/reported-days.ts";
import { formatPercent } from "../text/cell-text.ts";
import { formatCount, formatDuration, formatPeriod, formatQuantity } from "../text/readable-text.ts";
import {
  type Assessment,
  type OverviewSources,
  type Row,
  type Status,
  type Trend,
  toleratedUnknown,
} from "./assessment.ts";
import { createTrend, readTrend } from "./trend.ts";

/** Maximum findings per question. */
const maxFindings = 3;

export async function assessDevices({ mart, names, read, daysOf }: OverviewSources): Promise<Assessment> {
  const states = await findDeviceStates(mart, {});
  const { devices, down, silent, unknown, with_recent_error: withError } = states;
  const isMostlyUnknown = unknown > devices * toleratedUnknown;
  const unknownStatuses = listUnknownStatuses(states);
  // Devices with a storage error can be in any state.
  const isUrgentByState = withError === 0 && down + silent + unknown > 0;
  const address = { view: "devices", words: isUrgentByState ? { only: "down,silent,unknown" } : {} };
  // The report lists devices that are down first, then silent ones.
  const worst = await read("devices", { top: maxFindings });
  return {
    question: "Which devices need attention?",
    status:
      down > 0
        ? "bad"
        : devices === 0 || isMostlyUnknown
          ? "not known yet"
          : silent + withError + unknown > 0
            ? "needs attention"
            : "good",
    answer:
      devices === 0
        ? "No device has been checked yet."
        : [
            `${summarizeDeviceStates(states)}; ${withError === 0 ? "none" : formatCount(withError)} had a storage error in the last ${recentDays} days.`,
            unknownStatuses,
          ]
            .filter(Boolean)
            .join(" "),
    rule: `Good: none is down, silent or in an unknown state, or had a storage error in the last ${recentDays} days. Bad: at least one is down. Not known yet: none was checked, or most are in an unknown state.`,
    address,
    trend: await readDownDevices(mart, await daysOf("uptime")),
    worst: [
      ...worst
        .filter(({ state }) => state === "down")
        .map((device) =>
          createFinding(
            nameZone(device, names),
            device,
            device.down_for_seconds == null
              ? "is down"
              : `has been down for ${formatLength(device.down_for_seconds)}`,
          ),
        ),
      ...(unknownStatuses === undefined ? [] : [{ text: unknownStatuses, address }]),
      ...worst
        .filter(({ state }) => state === "silent")
        .map((device) =>
          createFinding(
            nameZone(device, names),
            device,
            `has been silent for ${formatLength(device.silent_for_seconds)}`,
          ),
        ),
    ].slice(0, maxFindings),
  };
}

/** Counts the devices that were down for some time on each day. */
async function readDownDevices(
  mart: OverviewSources["mart"],
  reported: ReportedDays,
): Promise<Trend | undefined> {
  const { from, to } = reported.period;
  const perDay = await mart.all<Row>(
    `select
      date,
      count(distinct case when down_seconds > 0 then device_id end) as down,
      cast(sum(up_seconds + down_seconds) as bigint) as known_seconds
    from fact_device_day
    where date between cast(? as date) and cast(? as date)
    group by date`,
    [from, to],
  );
  return createTrend(reported, perDay, {
    title: "Devices down per day",
    isShare: false,
    valueOn: (day) => (Number(day?.known_seconds ?? 0) === 0 ? null : Number(day?.down)),
  });
}

function createFinding(name: string, { zone_id }: Row, state: string) {
  return {
    text: `${name} ${state}.`,
    address: { view: "devices", words: { zone: String(zone_id) } },
  };
}

function formatLength(seconds: Row[string] | undefined): string {
  return formatDuration(Number(seconds ?? 0));
}

/** Ratio of known time that devices may be down before the status is bad. */
const toleratedShare = 0.05;

export async function assessUptime(sources: OverviewSources): Promise<Assessment> {
  const { names, read, daysOf } = sources;
  const { period } = await daysOf("uptime");
  const [total = {}] = await read("uptime");
  const perDay = await read("uptime", { by: ["date"], measures: ["availability"] });
  const days = listDaysBetween(period.from, period.to).length;
  const outages = await read("outages", { top: maxFindings });
  const [down, share] = [Number(total.down_seconds ?? 0), total.availability];
  const coverage = Number(total.coverage ?? 0);
  return {
    question: "Were devices up?",
    status: rateAvailability(share == null ? null : Number(share), coverage, down),
    answer:
      share == null
        ? `Availability ${formatPeriod(period)} is not known yet: it needs two checks of a device with a known state.`
        : `${formatPercent(Number(share))} of monitored time${formatKnownDays(countKnownDays(perDay), days)}; ${formatQuantity(Number(total.outages ?? 0), "outage")} of 15 minutes or more began.${coverage < 1 - toleratedUnknown ? ` The state is known for only ${formatPercent(coverage)} of the time between checks.` : ""}`,
    rule: `Good: no device was down. Bad: devices were down for more than ${formatPercent(toleratedShare)} of monitored time. Not known yet: the state is unknown for most of the time between checks.`,
    address: { view: "uptime", words: { by: "zone", ...period } },
    trend: await readTrend(sources, "uptime", {
      ...{ title: "Availability per day", measure: "availability", isShare: true },
    }),
    worst: outages.map((outage) => ({
      text: `${nameZone(outage, names)} was down for ${formatDuration(Number(outage.down_seconds ?? 0))}${formatPrecision(total)}${outage.is_open === true ? ", and still is" : ""}.`,
      address: { view: "outages", words: { ...period, zone: String(outage.zone_id) } },
    })),
  };
}

/** @param coverage known time ÷ all time between each device's first and last check */
function rateAvailability(availability: number | null, coverage: number, downSeconds: number): Status {
  if (availability === null) return "not known yet";
  if (availability < 1 - toleratedShare) return "bad";
  if (downSeconds > 0) return "needs attention";
  return coverage < 1 - toleratedUnknown ? "not known yet" : "good";
}
