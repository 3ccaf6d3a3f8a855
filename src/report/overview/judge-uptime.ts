import { daysBetween } from "../../util/local-date.ts";
import { nameZone } from "../findings/equal-names.ts";
import { countKnown, sayKnownDays } from "../findings/known-days.ts";
import { sayHowExact } from "../findings/outage-checks.ts";
import { percentText } from "../text/cell-text.ts";
import { countOf, durationText } from "../text/people-text.ts";
import type { OverviewSources, Verdict } from "./verdict.ts";

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
  return {
    question: "Were devices up?",
    status:
      share == null || down > 0 ? (Number(share ?? 1) < 1 - toleratedShare ? "bad" : "look at it") : "good",
    answer:
      share == null
        ? "Nothing is known yet: it takes two checks of a device."
        : `${percentText(Number(share))} of the time that is known${sayKnownDays(countKnown(perDay), days)}; ${countOf(Number(total.outages ?? 0), "outage")} of 15 minutes or more.`,
    rule: `Good: no device was down. Bad: devices were down for more than ${percentText(toleratedShare)} of the time that is known.`,
    address: { view: "uptime", words: { by: "zone", ...period } },
    worst: outages.map((outage) => ({
      text: `${nameZone(outage, names)} was down for ${durationText(Number(outage.down_seconds ?? 0))}${sayHowExact(total)}.`,
      address: { view: "outages", words: { ...period, zone: String(outage.zone_id) } },
    })),
  };
}
