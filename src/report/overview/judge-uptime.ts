import { daysBetween } from "../../util/local-date.ts";
import { nameZone } from "../findings/equal-names.ts";
import { countKnown, sayKnownDays } from "../findings/known-days.ts";
import { sayHowExact } from "../findings/outage-checks.ts";
import { percentText } from "../text/cell-text.ts";
import { countOf, durationText, periodText } from "../text/people-text.ts";
import { type OverviewSources, type Status, toleratedUnknown, type Verdict } from "./verdict.ts";

/** Of the time that is known, devices may be down for this much before it is bad. */
const toleratedShare = 0.05;

/** Were devices up? */
export async function judgeUptime({ names, read, periodOf }: OverviewSources): Promise<Verdict> {
  const period = await periodOf("uptime");
  const [total = {}] = await read("uptime");
  const perDay = await read("uptime", { by: ["date"] });
  const days = daysBetween(period.from, period.to).length;
  const outages = await read("outages", { top: 3 });
  const [down, share] = [Number(total.down_seconds ?? 0), total.availability];
  const coverage = Number(total.coverage ?? 0);
  return {
    question: "Were devices up?",
    status: statusOf(share == null ? null : Number(share), coverage, down),
    answer:
      share == null
        ? `Nothing is known yet ${periodText(period)}: it takes two checks of a device with a known state.`
        : `${percentText(Number(share))} of the time that is known${sayKnownDays(countKnown(perDay), days)}; ${countOf(Number(total.outages ?? 0), "outage")} of 15 minutes or more began.${coverage < 1 - toleratedUnknown ? ` Only ${percentText(coverage)} of the time between checks is known.` : ""}`,
    rule: `Good: no device was down. Bad: devices were down for more than ${percentText(toleratedShare)} of the time that is known. Not known yet: most of the time between checks is unknown.`,
    address: { view: "uptime", words: { by: "zone", ...period } },
    worst: outages.map((outage) => ({
      text: `${nameZone(outage, names)} was down for ${durationText(Number(outage.down_seconds ?? 0))}${sayHowExact(total)}${outage.is_open === true ? ", and still is" : ""}.`,
      address: { view: "outages", words: { ...period, zone: String(outage.zone_id) } },
    })),
  };
}

/** @param coverage known time ÷ all time between the first and last check of each device */
function statusOf(availability: number | null, coverage: number, downSeconds: number): Status {
  if (availability === null) return "not known yet";
  if (availability < 1 - toleratedShare) return "bad";
  if (downSeconds > 0) return "look at it";
  return coverage < 1 - toleratedUnknown ? "not known yet" : "good";
}
