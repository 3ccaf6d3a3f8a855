import { nameCampaign } from "../findings/equal-names.ts";
import { percentText } from "../text/cell-text.ts";
import { countOf, countText } from "../text/people-text.ts";
import type { OverviewSources, Row, Verdict } from "./verdict.ts";

/** Of what was scheduled, this much may be missed before it is bad. */
const toleratedShare = 0.05;

/** Did each campaign run where and when it was scheduled? */
export async function judgeCampaigns({ names, read, periodOf }: OverviewSources): Promise<Verdict> {
  const period = await periodOf("compliance");
  const [total = {}] = await read("compliance");
  const campaigns = await read("compliance", { by: ["campaign"], onlyStates: ["missed", "missed_offline"] });
  const [missed, judged] = [missedOf(total), missedOf(total) + Number(total.compliant_days ?? 0)];
  return {
    question: "Did campaigns run?",
    status: missed === 0 ? "good" : missed > judged * toleratedShare ? "bad" : "look at it",
    answer:
      judged === 0
        ? "No scheduled day can be judged yet."
        : missed === 0
          ? `All ${countOf(judged, "scheduled zone day")} ran.`
          : `${countText(missed)} of ${countOf(judged, "scheduled zone day")} ${missed === 1 ? "was" : "were"} missed, in ${countOf(campaigns.length, "campaign")}.`,
    rule: `Good: nothing was missed. Bad: more than ${percentText(toleratedShare)} was.`,
    address: { view: "compliance", words: { by: "campaign", ...period } },
    worst: [...campaigns]
      .sort((a, b) => missedOf(b) - missedOf(a))
      .slice(0, 3)
      .map((row) => ({
        text: `${nameCampaign(row, names)} missed ${countText(missedOf(row))} of ${countOf(missedOf(row) + Number(row.compliant_days ?? 0), "zone day")}.`,
        address: {
          view: "compliance",
          words: { by: "zone", ...period, kind: String(row.kind), campaign: String(row.campaign_id) },
        },
      })),
  };
}

function missedOf({ missed_days, missed_offline_days }: Row): number {
  return Number(missed_days ?? 0) + Number(missed_offline_days ?? 0);
}
