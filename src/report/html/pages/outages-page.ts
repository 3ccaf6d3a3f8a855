import { daysBetween } from "../../../util/local-date.ts";
import { sayHowExact } from "../../findings/outage-checks.ts";
import { coveredPeriodText } from "../../text/data-end.ts";
import { countOf, countText, durationText } from "../../text/people-text.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";
import { sayHowMuchIsKnown, sayNothingKnown } from "./nothing-known.ts";
import { outageTimeline } from "./outage-timeline.ts";

/** When devices were out: how many, how long, and which are still. */
export async function describeOutages(sources: PageSources): Promise<ReportPage> {
  const { period, dataDays, read } = sources;
  const outages = await read({});
  const [uptime = {}] = await read({ report: "uptime" });
  const perDay = await read({ report: "uptime", by: ["date"] });
  const seconds = outages.reduce((sum, { down_seconds }) => sum + Number(down_seconds ?? 0), 0);
  const devices = new Set(outages.map(({ device_id }) => device_id)).size;
  const open = outages.filter(({ is_open }) => is_open === true).length;
  const planned = outages.filter((outage) => outage.planned === true).length;
  const isKnown = outages.length > 0 || uptime.availability != null;
  const when = coveredPeriodText(period, dataDays);
  const still =
    open === 0 ? "none of them is ongoing" : `${countText(open)} ${open === 1 ? "is" : "are"} ongoing`;
  return {
    headline:
      outages.length === 0
        ? ((await sayNothingKnown(sources, uptime, "outages")) ??
          `No device was seen out for 15 minutes or more ${when}.`)
        : `${countOf(outages.length, "outage")} of ${countOf(devices, "device")} ${when}, ${durationText(seconds)} in total${sayHowExact(uptime)}; ${still}.`,
    coverage: sayHowMuchIsKnown(uptime, perDay, daysBetween(period.from, period.to).length),
    facts: [
      {
        figure: "outages",
        value: isKnown ? countText(outages.length) : "not known",
        ...(isKnown && { note: `of ${countOf(devices, "device")}` }),
      },
      { figure: "down_seconds", value: isKnown ? durationText(seconds) : "not known" },
      { figure: "is_open", value: isKnown ? countText(open) : "not known" },
      {
        figure: "planned",
        value: isKnown ? countText(planned) : "not known",
        note: "overlap announced maintenance",
      },
    ],
    charts: outageTimeline(outages, sources),
  };
}
