import { listDaysBetween } from "../../util/local-date.ts";
import { formatPrecision } from "../findings/device-checks.ts";
import {
  findDeviceStates,
  listUnknownStatuses,
  recentDays,
  summarizeDeviceStates,
} from "../findings/device-states.ts";
import { nameZone } from "../findings/names.ts";
import { countKnown, formatKnownDays } from "../findings/reported-days.ts";
import { percentText } from "../text/cell-text.ts";
import { countOf, countText, durationText, periodText } from "../text/readable-text.ts";
import { type OverviewSources, type Row, type Status, toleratedUnknown, type Verdict } from "./verdict.ts";

/** Maximum findings of a question. */
const mostFindings = 3;

export async function judgeDevices({ mart, names, read }: OverviewSources): Promise<Verdict> {
  const states = await findDeviceStates(mart, {});
  const { devices, down, silent, unknown, with_recent_error: withError } = states;
  const isMostlyUnknown = unknown > devices * toleratedUnknown;
  const unknownStatuses = listUnknownStatuses(states);
  const address = { view: "devices", words: {} };
  // The report lists devices that are down first, then silent ones.
  const worst = await read("devices", { top: mostFindings });
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
            `${summarizeDeviceStates(states)}; ${withError === 0 ? "none" : countText(withError)} had a storage error in the last ${recentDays} days.`,
            unknownStatuses,
          ]
            .filter(Boolean)
            .join(" "),
    rule: `Good: none is down, silent or in an unknown state, or had a storage error in the last ${recentDays} days. Bad: at least one is down. Not known yet: none was checked, or most are in an unknown state.`,
    address,
    worst: [
      ...worst
        .filter(({ state }) => state === "down")
        .map((device) =>
          findingOf(
            nameZone(device, names),
            device,
            device.down_for_seconds == null
              ? "is down"
              : `has been down for ${lengthOf(device.down_for_seconds)}`,
          ),
        ),
      ...(unknownStatuses === undefined ? [] : [{ text: unknownStatuses, address }]),
      ...worst
        .filter(({ state }) => state === "silent")
        .map((device) =>
          findingOf(
            nameZone(device, names),
            device,
            `has been silent for ${lengthOf(device.silent_for_seconds)}`,
          ),
        ),
    ].slice(0, mostFindings),
  };
}

function findingOf(name: string, { zone_id }: Row, what: string) {
  return {
    text: `${name} ${what}.`,
    address: { view: "devices", words: { zone: String(zone_id) } },
  };
}

function lengthOf(seconds: Row[string] | undefined): string {
  return durationText(Number(seconds ?? 0));
}

/** Share of known time that devices may be down before the verdict is bad. */
const toleratedShare = 0.05;

export async function judgeUptime({ names, read, periodOf }: OverviewSources): Promise<Verdict> {
  const period = await periodOf("uptime");
  const [total = {}] = await read("uptime");
  const perDay = await read("uptime", { by: ["date"] });
  const days = listDaysBetween(period.from, period.to).length;
  const outages = await read("outages", { top: mostFindings });
  const [down, share] = [Number(total.down_seconds ?? 0), total.availability];
  const coverage = Number(total.coverage ?? 0);
  return {
    question: "Were devices up?",
    status: statusOf(share == null ? null : Number(share), coverage, down),
    answer:
      share == null
        ? `Availability ${periodText(period)} is not known yet: it takes two checks of a device with a known state.`
        : `${percentText(Number(share))} of monitored time${formatKnownDays(countKnown(perDay), days)}; ${countOf(Number(total.outages ?? 0), "outage")} of 15 minutes or more began.${coverage < 1 - toleratedUnknown ? ` The state is known for only ${percentText(coverage)} of the time between checks.` : ""}`,
    rule: `Good: no device was down. Bad: devices were down for more than ${percentText(toleratedShare)} of monitored time. Not known yet: the state is unknown for most of the time between checks.`,
    address: { view: "uptime", words: { by: "zone", ...period } },
    worst: outages.map((outage) => ({
      text: `${nameZone(outage, names)} was down for ${durationText(Number(outage.down_seconds ?? 0))}${formatPrecision(total)}${outage.is_open === true ? ", and still is" : ""}.`,
      address: { view: "outages", words: { ...period, zone: String(outage.zone_id) } },
    })),
  };
}

/** @param coverage known time ÷ all time between the first and last check of each device */
function statusOf(availability: number | null, coverage: number, downSeconds: number): Status {
  if (availability === null) return "not known yet";
  if (availability < 1 - toleratedShare) return "bad";
  if (downSeconds > 0) return "needs attention";
  return coverage < 1 - toleratedUnknown ? "not known yet" : "good";
}
