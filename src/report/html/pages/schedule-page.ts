import { formatCount, formatPeriod, formatQuantity } from "../../text/readable-text.ts";
import { countPerStep } from "../read/draw-steps.ts";
import { explainNoData } from "../read/explain-nothing.ts";
import type { Breakdown, PageDeclaration, TotalledPage } from "../report-page.ts";

export function declareSchedule(): PageDeclaration {
  return {
    explain: explainNoData("campaigns"),
    headline({ count, period }) {
      const when = formatPeriod(period);
      if (count("campaigns") === 0) return `No campaigns are scheduled ${when}.`;
      const [ending, notReady] = [count("ending"), count("not_ready")];
      return `${formatQuantity(count("campaigns"), "campaign")} in ${formatQuantity(count("zones"), "zone")} ${when}. Per campaign and zone, ${formatCount(ending)} ${ending === 1 ? "ends" : "end"} and ${formatCount(notReady)} ${notReady === 1 ? "is" : "are"} not ready.`;
    },
    coverage: () => "according to the newest listings",
    facts: [{ figure: "scheduled_days" }, { figure: "ending" }, { figure: "not_ready" }],
    charts: [
      countPerStep({
        title: "Scheduled per day",
        measure: "scheduled_days",
        unit: "zone days",
        step: "date",
        note: "Zones in which a campaign is scheduled, over all campaigns.",
      }),
    ],
    breakdown: breakDownReasons,
  };
}

const remedies: Readonly<Record<string, string>> = {
  "no active asset": "None of its assets is active on its days: extend or add one.",
  "assets end before the campaign": "From some day on, no asset is active: extend or add one.",
  "no occurrence left":
    "Its rule has no day left within its dates: extend the rule, or disable the campaign.",
  "unreadable rule or date": "The campaign is treated as never scheduled: correct the rule or date.",
  "zone closed": "The zone's opening hours exclude all its days.",
  "devices down": "All devices of the zone are down as of the data.",
  "zone silent": "A device of the zone is up, but nothing plays as of the data.",
};

/** A campaign in a zone may have several reasons. */
async function breakDownReasons({ aggregate, count }: TotalledPage): Promise<Breakdown | undefined> {
  if (count("not_ready") === 0) return undefined;
  const found = await aggregate(
    (rows) => `select reasons, count(*) as pairs from ${rows} where reasons is not null group by reasons`,
    { by: ["campaign", "zone"] },
  );
  const counts = new Map(Object.keys(remedies).map((reason) => [reason, 0]));
  for (const { reasons, pairs } of found)
    for (const reason of String(reasons).split("; "))
      counts.set(reason, (counts.get(reason) ?? 0) + Number(pairs));
  return {
    title: "Not ready",
    text: "Reasons why campaigns may not run. A campaign is counted once in each of its zones.",
    headings: ["reason", "campaigns in zones", "meaning"],
    rows: [...counts]
      .filter(([, pairs]) => pairs > 0)
      .map(([name, pairs]) => ({ name, value: formatCount(pairs), text: remedies[name] ?? "" })),
  };
}
