import { listDaysBetween } from "../../../util/local-date.ts";
import { explainMissingHistory } from "../../findings/reported-days.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import { formatCoveredPeriod } from "../../text/spans.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";
import { explainUnknownUptime, formatKnownTime } from "./unknown-uptime.ts";

export async function describeSilences(sources: PageSources): Promise<ReportPage> {
  const { mart, period, dataDays, read, aggregate } = sources;
  const [total = {}] = await aggregate(
    (rows) => `select
      count(*) as silences,
      count(distinct zone_id) as zones,
      sum(silent_seconds) as seconds,
      count(case when is_open then 1 end) as open_silences
    from ${rows}`,
  );
  const [silences = 0, zones = 0, seconds = 0, open = 0] = [
    total.silences,
    total.zones,
    total.seconds,
    total.open_silences,
  ].map(Number);
  const [uptime = {}] = await read({ report: "uptime" });
  const perDay = await read({ report: "uptime", by: ["date"], measures: ["availability"] });
  const unknown =
    silences === 0
      ? ((await explainMissingHistory(mart)) ?? (await explainUnknownUptime(sources, uptime, "silences")))
      : undefined;
  const when = formatCoveredPeriod(period, dataDays);
  const still = open === 0 ? "none is ongoing" : `${formatCount(open)} ${open === 1 ? "is" : "are"} ongoing`;
  return {
    headline:
      silences === 0
        ? (unknown ?? `No known silences of over 10 minutes ${when}.`)
        : `${formatQuantity(silences, "silence")} in ${formatQuantity(zones, "zone")} ${when}, ${formatDuration(seconds)} in total; ${still}.`,
    coverage: formatKnownTime(uptime, perDay, listDaysBetween(period.from, period.to).length),
    facts: [
      { figure: "silent_seconds", value: unknown === undefined ? formatDuration(seconds) : "unknown" },
      { figure: "is_open", value: unknown === undefined ? formatCount(open) : "unknown" },
    ],
    charts: [],
  };
}
