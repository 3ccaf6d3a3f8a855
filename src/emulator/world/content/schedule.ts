import type { CalendarDay } from "../calendar-day.ts";
import type { Zone } from "../premises/zone.ts";
import type { Asset } from "./asset.ts";
import { type Campaign, campaignAt, isEnabledIn, isListed } from "./campaign.ts";
import type { ContentKind } from "./content-kind.ts";
import { occursOn } from "./recurrence.ts";

/** A campaign that is to play in a zone on a local day. */
export interface ScheduledCampaign {
  campaign: Campaign;
  /** At least one; those whose own dates hold the day. */
  assets: readonly Asset[];
}

/** What is to play in a zone on a local day: decided by what was listed and enabled as the day began. */
export function scheduledCampaigns(
  campaigns: readonly Campaign[],
  kind: ContentKind,
  zone: Zone,
  day: CalendarDay,
): ScheduledCampaign[] {
  const dayStartMs = zone.clock.instantOf(day, 0);
  const scheduled: ScheduledCampaign[] = [];
  for (const planned of campaigns) {
    const campaign = campaignAt(planned, dayStartMs);
    if (campaign.kind !== kind || !isListed(campaign, dayStartMs)) continue;
    if (!isEnabledIn(campaign, zone, dayStartMs)) continue;
    if (!isWithin(campaign, day) || (campaign.startDay === undefined && day <= campaign.addDay)) continue;
    if (campaign.recurrence && !occursOn(campaign.recurrence, campaign, day)) continue;
    const assets = campaign.assets.filter((asset) => isWithin(asset, day));
    if (assets.length > 0) scheduled.push({ campaign, assets });
  }
  return scheduled;
}

function isWithin(
  { startDay, endDay }: { startDay: CalendarDay | undefined; endDay: CalendarDay | undefined },
  day: CalendarDay,
): boolean {
  return (startDay === undefined || startDay <= day) && (endDay === undefined || day <= endDay);
}
