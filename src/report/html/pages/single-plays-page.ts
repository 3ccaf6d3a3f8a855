import { reportStatement } from "../../options/report-statement.ts";
import type { ReportValue } from "../../report.ts";
import { coveredPeriodText } from "../../text/data-end.ts";
import { countOf, countText, durationText } from "../../text/people-text.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

/** Single plays: how many there are of what was asked for. */
export async function describeSinglePlays({
  mart,
  options,
  period,
  dataDays,
}: PageSources): Promise<ReportPage> {
  const [total = {}] = await mart.all<Record<string, ReportValue>>(
    ...reportStatement("single_plays_total", { ...options, period }),
  );
  const count = (name: string) => Number(total[name] ?? 0);
  const when = coveredPeriodText(period, dataDays);
  return {
    headline:
      count("plays") === 0
        ? `Nothing of this played ${when}.`
        : `${countOf(count("plays"), "play")} of ${countOf(count("items"), "item")} in ${countOf(count("zones"), "zone")} ${when}.`,
    coverage: `every play that is known ${when}`,
    facts: [
      { figure: "plays", value: countText(count("plays")) },
      { figure: "play_seconds", value: durationText(count("play_seconds")) },
    ],
    charts: [],
  };
}
