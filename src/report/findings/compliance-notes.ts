import { noteUnknownIds } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { countOf, countText } from "../text/people-text.ts";

/** Of all that a report is about. */
export interface ScheduledDays {
  scheduled_days: number;
  /** Of them, those that rest on what was assumed of a listing. */
  assumed_days: number;
}

/** What a reader of compliance has to know beside its figures, a sentence each. */
export async function noteCompliance(
  mart: PublishedMart,
  options: ReportOptions,
  total: ScheduledDays | undefined,
): Promise<string[]> {
  return [
    ...(await noteUnknownIds(mart, options)),
    ...(await noteUnknownCampaigns(mart, options.campaignIds ?? [])),
    ...(await noteNothingKnown(mart)),
    ...noteAssumed(total),
  ];
}

/** Where a number is no campaign's, it may be the key that reports show beside it. */
async function noteUnknownCampaigns(mart: PublishedMart, campaignIds: readonly number[]): Promise<string[]> {
  if (campaignIds.length === 0) return [];
  const known = await mart.all<{ id: number; key: number; kind: string }>(
    "select campaign_id as id, campaign_key as key, kind from dim_campaign",
  );
  return campaignIds
    .filter((asked) => known.every(({ id }) => id !== asked))
    .map((asked) => {
      const meant = known.find(({ key }) => key === asked);
      const hint = meant
        ? ` It is the campaign_key of the ${meant.kind} campaign whose campaign_id is ${meant.id}; --campaign takes the latter.`
        : "";
      return `No campaign ${asked} in what is published.${hint}`;
    });
}

async function noteNothingKnown(mart: PublishedMart): Promise<string[]> {
  const [known] = await mart.all<{ cells: number }>("select count(*) as cells from fact_campaign_zone_day");
  return known?.cells === 0 ? ["No listing of campaigns has been loaded yet, so nothing is scheduled."] : [];
}

function noteAssumed(total: ScheduledDays | undefined): string[] {
  const { scheduled_days: scheduled, assumed_days: assumed } = total ?? {
    scheduled_days: 0,
    assumed_days: 0,
  };
  if (assumed === 0) return [];
  const days = countOf(scheduled, "scheduled zone day");
  const part = assumed === scheduled ? `All of ${days}` : `${countText(assumed)} of ${days}`;
  return [
    `${part} ${assumed === 1 ? "is" : "are"} assumed: before a zone was listed first, and where only its group is, what is to run is taken from the first listing, or the group's.`,
  ];
}
