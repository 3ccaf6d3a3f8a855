import { compliance } from "../catalog/compliance.ts";
import { nameCampaign } from "../findings/names.ts";
import { buildAggregate } from "../options/build-statement.ts";
import { formatPercent } from "../text/cell-text.ts";
import { formatCount, formatPeriod, formatQuantity } from "../text/readable-text.ts";
import { type Assessment, type OverviewSources, type Row, toleratedUnknown } from "./assessment.ts";
import { readTrend } from "./trend.ts";

/** Ratio of scheduled zone days that may be missed before the status is bad. */
const toleratedShare = 0.05;

export async function assessCampaigns(sources: OverviewSources): Promise<Assessment> {
  const { mart, names, read, daysOf } = sources;
  const { period } = await daysOf("compliance");
  const [total = {}] = await read("compliance");
  const worst = await mart.all<Row & { campaigns: number }>(
    ...buildAggregate(
      compliance,
      {
        period,
        by: ["campaign"],
        onlyStates: ["missed", "missed_offline"],
        measures: ["compliant_days", "missed_days", "missed_offline_days"],
      },
      (rows) => `select *, count(*) over () as campaigns
      from ${rows}
      order by missed_days + missed_offline_days desc, kind, campaign_id
      limit 3`,
    ),
  );
  const [{ campaigns } = { campaigns: 0 }] = worst;
  const [missed, measured] = [countMissed(total), countMissed(total) + Number(total.compliant_days ?? 0)];
  const unmeasured = Number(total.not_measurable_days ?? 0);
  const isMostlyUnknown = Number(total.coverage ?? 0) < 1 - toleratedUnknown;
  return {
    question: "Did campaigns run?",
    status:
      missed > measured * toleratedShare
        ? "bad"
        : missed > 0
          ? "needs attention"
          : measured === 0 || isMostlyUnknown
            ? "not known yet"
            : "good",
    answer:
      measured === 0
        ? explainNotAssessed(total, formatPeriod(period))
        : missed === 0
          ? `All ${formatQuantity(measured, "scheduled zone day")} with a result ran${unmeasured === 0 ? "" : `; ${formatCount(unmeasured)} could not be measured`}.`
          : `${formatCount(missed)} of ${formatQuantity(measured, "scheduled zone day")} ${missed === 1 ? "was" : "were"} missed, in ${formatQuantity(campaigns, "campaign")}.`,
    rule: `Good: nothing was missed. Bad: more than ${formatPercent(toleratedShare)} of the days were missed. Not known yet: no scheduled day has a result, or most could not be measured.`,
    address: { view: "compliance", words: { by: "campaign", ...period } },
    trend: await readTrend(sources, "compliance", {
      title: "Compliance per day",
      measure: "compliance",
      isShare: true,
      rows: sources.complianceDays,
    }),
    worst: worst.map((row) => ({
      text: `${nameCampaign(row, names)} missed ${formatCount(countMissed(row))} of ${formatQuantity(countMissed(row) + Number(row.compliant_days ?? 0), "zone day")}.`,
      address: {
        view: "compliance",
        words: { by: "zone", ...period, kind: String(row.kind), campaign: String(row.campaign_id) },
      },
    })),
  };
}

function explainNotAssessed(total: Row, when: string): string {
  const count = (name: string) => Number(total[name] ?? 0);
  if (count("scheduled_days") === 0) return `No campaign is known to have been scheduled ${when}.`;
  const why = [
    [count("pending_days"), "not settled yet"],
    [count("not_measurable_days"), "not measurable"],
    [count("closed_days"), "closed"],
  ] as const;
  const parts = why.flatMap(([days, what]) => (days === 0 ? [] : [`${formatCount(days)} ${what}`]));
  return `No scheduled day has a result yet: of ${formatQuantity(count("scheduled_days"), "zone day")} ${when}, ${parts.join(", ")}.`;
}

/** Scheduled zone days that did not run. */
function countMissed({ missed_days: missed, missed_offline_days: offline }: Row): number {
  return Number(missed ?? 0) + Number(offline ?? 0);
}
