import { type Asset, planAsset } from "./asset.ts";
import { type CalendarDay, dateText, dayMs } from "./calendar-day.ts";
import { type CampaignPlan, campaignPlans } from "./campaign-plans.ts";
import type { ContentKind } from "./content-kind.ts";
import { parseRecurrence, type Recurrence } from "./recurrence.ts";
import { groupIds, type Zone } from "./zone.ts";

/** A schedule for assets in the zones of a group. Plays of signage and messaging come from campaigns alone. */
export interface Campaign {
  kind: ContentKind;
  campaignId: number;
  name: string;
  /** The group that owns it. */
  groupId: number;
  addDay: CalendarDay;
  /** First and last day, inclusive; undefined is open. */
  startDay: CalendarDay | undefined;
  endDay: CalendarDay | undefined;
  /** As the service shows it; may be empty. */
  rrule: string;
  recurrence: Recurrence | undefined;
  assets: readonly Asset[];
  /** When it entered the listings, and when it was archived; epoch ms. */
  listedFromMs: number;
  archivedAtMs: number | undefined;
  /** Zones, by index, in which it is not enabled from an instant on. */
  disabled: readonly { zoneIndex: number; fromMs: number }[];
}

export function planCampaigns(firstDay: CalendarDay): Campaign[] {
  return campaignPlans.flatMap(({ kind, campaigns }) =>
    campaigns.map((plan) => planCampaign(kind, firstDay, plan)),
  );
}

/** Whether the service names it in a group's listing. */
export function isListed(campaign: Campaign, atMs: number): boolean {
  return (
    campaign.listedFromMs <= atMs && (campaign.archivedAtMs === undefined || atMs < campaign.archivedAtMs)
  );
}

/** Whether it is enabled in a zone; enabling is per zone. */
export function isEnabledIn(campaign: Campaign, zone: Zone, atMs: number): boolean {
  return (
    zone.groupIds.includes(campaign.groupId) &&
    !campaign.disabled.some(({ zoneIndex, fromMs }) => zoneIndex === zone.index && fromMs <= atMs)
  );
}

function planCampaign(kind: ContentKind, firstDay: CalendarDay, plan: CampaignPlan): Campaign {
  const groupId = groupIds[plan.group];
  const dayOf = (days: number | undefined) => (days === undefined ? undefined : firstDay + days);
  const rrule = plan.rule.replace(/\{(\d+)\}/, (_match, days) =>
    dateText(firstDay + Number(days)).replaceAll("-", ""),
  );
  return {
    kind,
    campaignId: plan.id,
    name: plan.name,
    groupId,
    addDay: firstDay + plan.added,
    startDay: dayOf(plan.start),
    endDay: dayOf(plan.end),
    rrule,
    recurrence: rrule === "" ? undefined : parseRecurrence(rrule),
    assets: plan.assets.map((asset) => planAsset(kind, groupId, firstDay, asset)),
    listedFromMs: (firstDay + plan.added) * dayMs,
    archivedAtMs: plan.archived === undefined ? undefined : (firstDay + plan.archived) * dayMs,
    disabled: (plan.disabled ?? []).map(({ zoneIndex, from }) => ({
      zoneIndex,
      fromMs: (firstDay + from) * dayMs,
    })),
  };
}
