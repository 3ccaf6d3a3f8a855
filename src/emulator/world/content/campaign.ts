import { type CalendarDay, dateText, dayMs } from "../calendar-day.ts";
import { groupIds, type Zone } from "../premises/zone.ts";
import { type Asset, planAsset } from "./asset.ts";
import { type CampaignPlan, campaignPlans } from "./campaign-plans.ts";
import type { ContentKind } from "./content-kind.ts";
import { occursOn, parseRecurrence, type Recurrence } from "./recurrence.ts";

/** A new rule or new assets for a campaign in `campaignPlans`, in effect from midnight (UTC) of a day. */
export interface CampaignEdit {
  kind: ContentKind;
  campaignId: number;
  /** Days after the world's first. */
  day: number;
  rule?: string;
  /** Replaces all assets of the campaign. Any assets of its kind are allowed. */
  assetIds?: readonly number[];
}

/** A schedule for assets in a group's zones. Signage and messaging play only from campaigns. */
export interface Campaign {
  kind: ContentKind;
  campaignId: number;
  name: string;
  /** Group that owns the campaign. */
  groupId: number;
  addDay: CalendarDay;
  /** First and last day, inclusive; undefined means no limit. */
  startDay: CalendarDay | undefined;
  endDay: CalendarDay | undefined;
  /** The rule as the service returns it; may be empty. */
  rrule: string;
  recurrence: Recurrence | undefined;
  assets: readonly Asset[];
  /** Instants at which the campaign is first listed and archived; epoch ms. */
  listedFromMs: number;
  archivedAtMs: number | undefined;
  /** Indexes of zones where the campaign is disabled, each with the instant from which it is. */
  disabled: readonly { zoneIndex: number; fromMs: number }[];
  /** Later edits, in chronological order. */
  edited: readonly ({ fromMs: number } & Pick<Campaign, "rrule" | "recurrence" | "assets">)[];
}

export function planCampaigns(firstDay: CalendarDay, edits: readonly CampaignEdit[]): Campaign[] {
  const campaigns = campaignPlans.flatMap(({ kind, campaigns: plans }) =>
    plans.map((plan) => planCampaign(kind, firstDay, plan)),
  );
  const assets = campaigns.flatMap((campaign) => campaign.assets);
  return campaigns.map((campaign) => {
    const own = edits.filter(
      ({ kind, campaignId }) => kind === campaign.kind && campaignId === campaign.campaignId,
    );
    return { ...campaign, edited: planEdits(campaign, firstDay, own, assets) };
  });
}

/** Returns the campaign with its rule and assets at an instant. */
export function campaignAt(campaign: Campaign, atMs: number): Campaign {
  const edited = campaign.edited.findLast(({ fromMs }) => fromMs <= atMs);
  if (!edited) return campaign;
  const { rrule, recurrence, assets } = edited;
  return { ...campaign, rrule, recurrence, assets };
}

/** Returns true if the campaign is in its group's listing. */
export function isListed(campaign: Campaign, atMs: number): boolean {
  return (
    campaign.listedFromMs <= atMs && (campaign.archivedAtMs === undefined || atMs < campaign.archivedAtMs)
  );
}

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
    recurrence: findRecurrence(rrule),
    assets: plan.assets.map((asset) => planAsset(kind, groupId, firstDay, asset)),
    listedFromMs: (firstDay + plan.added) * dayMs,
    archivedAtMs: plan.archived === undefined ? undefined : (firstDay + plan.archived) * dayMs,
    disabled: (plan.disabled ?? []).map(({ zoneIndex, from }) => ({
      zoneIndex,
      fromMs: (firstDay + from) * dayMs,
    })),
    edited: [],
  };
}

function planEdits(
  campaign: Campaign,
  firstDay: CalendarDay,
  edits: readonly CampaignEdit[],
  known: readonly Asset[],
): Campaign["edited"] {
  let { rrule, assets } = campaign;
  return edits
    .toSorted((left, right) => left.day - right.day)
    .map(({ day, rule = rrule, assetIds }) => {
      rrule = rule;
      if (assetIds) {
        const ofKind = known.filter(({ kind }) => kind === campaign.kind);
        assets = assetIds.flatMap((id) => ofKind.find(({ itemId }) => itemId === id) ?? []);
      }
      return { fromMs: (firstDay + day) * dayMs, rrule, recurrence: findRecurrence(rrule), assets };
    });
}

function findRecurrence(rrule: string): Recurrence | undefined {
  return rrule === "" ? undefined : parseRecurrence(rrule);
}

/** A campaign that should play in a zone on a local day. */
export interface ScheduledCampaign {
  campaign: Campaign;
  /** Assets whose own dates include the day; never empty. */
  assets: readonly Asset[];
}

/** Returns the campaigns that should play in a zone on a local day: those listed and enabled at its start. */
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
