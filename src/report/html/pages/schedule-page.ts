import { listDaysBetween } from "../../../util/local-date.ts";
import { describeMissingSources } from "../../findings/missing-sources.ts";
import { formatCount, formatPeriod, formatQuantity } from "../../text/readable-text.ts";
import type { PageSources } from "../page-sources.ts";
import type { Breakdown, ReportPage } from "../report-page.ts";

export async function describeSchedule({
  mart,
  options,
  period,
  read,
  aggregate,
}: PageSources): Promise<ReportPage> {
  const [total = {}] = await read({});
  const perDay = await read({ by: ["date"] });
  const pairs = await aggregate(
    (rows) => `select reasons, count(*) as pairs from ${rows} where reasons is not null group by reasons`,
    { by: ["campaign", "zone"] },
  );
  const count = (name: string) => Number(total[name] ?? 0);
  const [campaigns, zones, ending, notReady] = ["campaigns", "zones", "ending", "not_ready"].map(count) as [
    number,
    number,
    number,
    number,
  ];
  const when = formatPeriod(period);
  const values = new Map(perDay.map((row) => [String(row.date), Number(row.scheduled_days)]));
  const missing = campaigns === 0 ? await describeMissingSources(mart, options) : undefined;
  return {
    headline:
      campaigns === 0
        ? (missing ?? `No campaigns are scheduled ${when}.`)
        : `${formatQuantity(campaigns, "campaign")} in ${formatQuantity(zones, "zone")} ${when}. Per campaign and zone, ${formatCount(ending)} ${ending === 1 ? "ends" : "end"} and ${formatCount(notReady)} ${notReady === 1 ? "is" : "are"} not ready.`,
    coverage: "as in the newest listings",
    facts:
      campaigns === 0
        ? []
        : [
            { figure: "scheduled_days", value: formatCount(count("scheduled_days")) },
            { figure: "ending", value: formatCount(ending) },
            { figure: "not_ready", value: formatCount(notReady) },
          ],
    charts:
      campaigns === 0
        ? []
        : [
            {
              kind: "per-day",
              title: "Scheduled per day",
              summary: "Zones in which a campaign is scheduled, over all campaigns.",
              unit: "zone days",
              days: listDaysBetween(period.from, period.to).map((date) => ({
                date,
                value: values.get(date) ?? 0,
              })),
            },
          ],
    breakdown: notReady === 0 ? undefined : breakDownReasons(pairs),
  };
}

const remedies: Readonly<Record<string, string>> = {
  "no active asset": "None of its assets is active on its days: extend or add one.",
  "assets end before the campaign": "From some day on, no asset is active: extend or add one.",
  "no occurrence left":
    "Its rule has no day left within its dates: extend the rule, or disable the campaign.",
  "unreadable rule or date": "It counts as never scheduled: correct the rule or date.",
  "zone closed": "The zone's opening hours leave out all its days.",
  "devices down": "All devices of the zone are down as of the data.",
  "zone silent": "A device of the zone is up, but nothing plays as of the data.",
};

/** A campaign in a zone may have several reasons. */
function breakDownReasons(rows: readonly Readonly<Record<string, unknown>>[]): Breakdown {
  const counts = new Map(Object.keys(remedies).map((reason) => [reason, 0]));
  for (const { reasons, pairs } of rows)
    for (const reason of String(reasons).split("; "))
      counts.set(reason, (counts.get(reason) ?? 0) + Number(pairs));
  return {
    title: "Not ready",
    text: "Reasons why campaigns may not run. A campaign counts once in each of its zones.",
    headings: ["reason", "campaigns in zones", "meaning"],
    rows: [...counts]
      .filter(([, pairs]) => pairs > 0)
      .map(([name, pairs]) => ({ name, value: formatCount(pairs), text: remedies[name] ?? "" })),
  };
}
