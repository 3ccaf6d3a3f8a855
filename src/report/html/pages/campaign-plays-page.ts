import { createDrillDown } from "../../address/drill-down.ts";
import { describeMissingSources } from "../../findings/missing-sources.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import { explainMissingData, formatCoveredPeriod } from "../../text/spans.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

const maxCampaigns = 10;

/** Describes plays by campaign. A play that several campaigns share counts once. */
export async function describeCampaignPlays({
  mart,
  options,
  request,
  period,
  dataDays,
  read,
  link,
}: PageSources): Promise<ReportPage> {
  const rows = (await read({ by: ["campaign"] })).sort((a, b) => Number(b.plays) - Number(a.plays));
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);
  const when = formatCoveredPeriod(period, dataDays);
  const weighted = Math.round(sum("weighted_plays"));
  const unscheduled = sum("unscheduled_plays");
  const unknown =
    rows.length === 0
      ? (explainMissingData(period, dataDays) ?? (await describeMissingSources(mart, options)))
      : undefined;
  return {
    headline:
      rows.length === 0
        ? (unknown ?? `No plays of campaigns ${when}.`)
        : `${formatQuantity(weighted, "play")} of ${formatQuantity(rows.length, "campaign")} ${when}, each counted once, and ${formatCount(unscheduled)} without a schedule.`,
    coverage: `plays of the campaigns' assets ${when}`,
    facts:
      rows.length === 0
        ? []
        : [
            { figure: "weighted_plays", value: formatCount(weighted), note: "each play counts once" },
            { figure: "weighted_seconds", value: formatDuration(Math.round(sum("weighted_seconds"))) },
            { figure: "unscheduled_plays", value: formatCount(unscheduled) },
          ],
    charts:
      rows.length === 0
        ? []
        : [
            {
              kind: "ranking",
              title: "Plays by campaign",
              summary: `The ${formatQuantity(Math.min(maxCampaigns, rows.length), "campaign")} with the most plays. A play of a shared asset counts for each campaign.`,
              headings: ["campaign", "plays"],
              rows: rows.slice(0, maxCampaigns).map((row) => ({
                label: `${row.campaign_name ?? "?"} (${row.kind} ${row.campaign_id})`,
                value: Number(row.plays),
                text: formatCount(Number(row.plays)),
                href: link(createDrillDown(request, period, ["campaign"], row)),
              })),
            },
          ],
  };
}
