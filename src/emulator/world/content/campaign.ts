import type { contentKinds } from "../../../util/kind.ts";
import type { CampaignEdit } from "../../options.ts";
import { type CalendarDay, dateText, dayMs } from "../calendar-day.ts";
import { groupIds, type Zone } from "../premises/zone.ts";
import type { Naming } from "../random.ts";
import { occursOn, parseRecurrence, type Recurrence } from "./recurrence.ts";

/** Kinds that have assets and campaigns. */
export type ContentKind = (typeof contentKinds)[number];

/**
 * The world's campaigns. They cover every form of rule, with and without dates. During the world's days, some
 * campaigns begin, end, are archived or are disabled in a zone. Each group has one campaign that always runs.
 * Signage and messaging may use the same id for different campaigns or assets.
 *
 * Columns: kind, id, name, index of the group, days on which it is added, starts, ends and is archived
 * (relative to the world's first day), rule (`{40}` is the date 40 days after the first), assets, and indexes
 * of zones where it is disabled, each with the first such day.
 */
const campaignTable = `
signage|1|Welcome Loop|0|-80|||||1,2,3|4@35
signage|2|Autumn Menu|0|-20|0|45||FREQ=DAILY|4,5|
signage|3|Weekend Brunch|0|-40|-30|||FREQ=WEEKLY;BYDAY=SA,SU|6|2@-999
signage|4|Loyalty Tuesdays|0|-14|-14|||FREQ=WEEKLY;INTERVAL=2;BYDAY=TU|7,2|
signage|5|Payday|0|-60|-60|||FREQ=MONTHLY;BYMONTHDAY=1,15|8|
signage|6|Lunch Deals|0|-10|-10|||FREQ=DAILY;BYHOUR=11,12,13|9|2@-999
signage|7|Back to School|0|-30|||20||18|
signage|8|House Rules|1|-90|||||10,11|
signage|9|Ten Day Sale|1|5|12|||FREQ=DAILY;COUNT=10|12|
signage|10|Festival Run|1|1|5|||FREQ=DAILY;INTERVAL=2;UNTIL={40}T235959Z|13|
signage|11|Members' Monday|1|-5|0|||RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6|14|
signage|12|Month End|1|-60|-60|||FREQ=MONTHLY;BYMONTHDAY=-1|15|
signage|13|Late Night|1|-25|-20|70||FREQ=DAILY;BYHOUR=22,23,0,1|16|9@-999,10@-999
signage|14|Gift Cards|1|30|||||17|
messaging|1|Greetings|0|-80|||||1,2|
messaging|2|Safety|1|-80|-80|||FREQ=DAILY|3|
messaging|3|Saturday Raffle|0|-9|-7|49||FREQ=WEEKLY;BYDAY=SA|4|
messaging|4|Closing Soon|0|-50|-50|||FREQ=DAILY;BYHOUR=19,20,21,22,23,0,1|5|
messaging|5|First Aid Course|1|10|15|||FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,FR;UNTIL={55}|6|
messaging|6|Class Times|1|-2|0|||FREQ=DAILY;INTERVAL=3;COUNT=15|7,8|
messaging|7|Rent Day|0|-60|-60|||FREQ=MONTHLY;BYMONTHDAY=1,-1|9|1@20`;

/** Columns: kind, id, name, seconds, days on which it starts and ends, new name, and day of the renaming. */
const assetTable = `
signage|1|Welcome|10|||Welcome 2027|40
signage|2|Loyalty Card|15
signage|3|Opening Hours|8
signage|4|Pumpkin Soup|12
signage|5|Apple Cake|12||30
signage|6|Brunch|20
signage|7|Double Points|15
signage|8|Payday Treats|15
signage|9|Lunch for Two|10
signage|10|Wipe the Machines|10
signage|11|Lockers|8
signage|12|Everything Must Go|15
signage|13|City Run|30
signage|14|Bring a Friend|15|10|50
signage|15|Last Chance|12
signage|16|Night Owls|12
signage|17|Gift Card|10
signage|18|Pens & Paper|10
messaging|1|Hello|12
messaging|2|Thank You|14
messaging|3|Exits|25
messaging|4|Raffle|30
messaging|5|Closing Soon|18
messaging|6|First Aid|28
messaging|7|Spinning at Six|16|||Spinning at Seven|22
messaging|8|Yoga at Eight|16|20
messaging|9|Pay at the Desk|20`;

/** First and last day, inclusive; undefined means no limit. */
interface Period {
  startDay: CalendarDay | undefined;
  endDay: CalendarDay | undefined;
}

export interface Asset extends Period {
  kind: ContentKind;
  itemId: number;
  naming: Naming;
  durationSecs: number;
  addDay: CalendarDay;
}

/** A schedule for assets in a group's zones. Signage and messaging play only assets of campaigns. */
export interface Campaign extends Period {
  kind: ContentKind;
  campaignId: number;
  name: string;
  /** Group that owns the campaign and its assets. */
  groupId: number;
  addDay: CalendarDay;
  /** The rule as the service returns it; may be empty. */
  rrule: string;
  recurrence: Recurrence | undefined;
  assets: readonly Asset[];
  archivedAtMs: number | undefined;
  /** Indexes of zones in which the campaign is disabled, each with the instant from which it is disabled. */
  disabled: readonly { zoneIndex: number; fromMs: number }[];
  /** Later edits, in chronological order. */
  edited: readonly ({ fromMs: number } & Content)[];
}

type Content = Pick<Campaign, "rrule" | "recurrence" | "assets">;

/** @param edits in effect from midnight (UTC) of their day */
export function planCampaigns(firstDay: CalendarDay, edits: readonly CampaignEdit[]): Campaign[] {
  const dayOf = (days: string | undefined) => (days ? firstDay + Number(days) : undefined);
  const assets = readTable(assetTable).map((row): Asset => {
    const [kind, id, name = "", secs, start, end, renamed, renamedOn] = row;
    const atMs = (firstDay + Number(renamedOn)) * dayMs;
    return {
      kind: kind as ContentKind,
      itemId: Number(id),
      naming: { name, ...(renamed && { renamed: { name: renamed, atMs } }) },
      durationSecs: Number(secs),
      addDay: firstDay - 90 + Number(id),
      startDay: dayOf(start),
      endDay: dayOf(end),
    };
  });
  return readTable(campaignTable).map((row): Campaign => {
    const [kind, id, name = "", group, added, start, end, archived, rule = "", assetIds = "", disabled] = row;
    const rrule = rule.replace(/\{(\d+)\}/, (_match, days) =>
      dateText(firstDay + Number(days)).replaceAll("-", ""),
    );
    const findAssets = (ids: readonly number[]) =>
      ids.flatMap((itemId) => assets.find((asset) => asset.kind === kind && asset.itemId === itemId) ?? []);
    const own = edits.filter((edit) => edit.kind === kind && edit.campaignId === Number(id));
    let content = planContent(rrule, findAssets(assetIds.split(",").map(Number)));
    return {
      kind: kind as ContentKind,
      campaignId: Number(id),
      name,
      groupId: groupIds[Number(group)] ?? groupIds[0],
      addDay: firstDay + Number(added),
      startDay: dayOf(start),
      endDay: dayOf(end),
      ...content,
      archivedAtMs: archived ? (firstDay + Number(archived)) * dayMs : undefined,
      disabled: (disabled ? disabled.split(",") : []).map((pair) => {
        const [zoneIndex, from] = pair.split("@");
        return { zoneIndex: Number(zoneIndex), fromMs: (firstDay + Number(from)) * dayMs };
      }),
      edited: own
        .toSorted((left, right) => left.day - right.day)
        .map(({ day, rule: newRule = content.rrule, assetIds: ids }) => {
          content = planContent(newRule, ids ? findAssets(ids) : content.assets);
          return { fromMs: (firstDay + day) * dayMs, ...content };
        }),
    };
  });
}

function planContent(rrule: string, assets: readonly Asset[]): Content {
  return { rrule, recurrence: rrule === "" ? undefined : parseRecurrence(rrule), assets };
}

function readTable(text: string): string[][] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.split("|"));
}

/** Returns the campaign with its rule and assets at an instant. */
export function campaignAt(campaign: Campaign, atMs: number): Campaign {
  const edited = campaign.edited.findLast(({ fromMs }) => fromMs <= atMs);
  if (!edited) return campaign;
  const { rrule, recurrence, assets } = edited;
  return { ...campaign, rrule, recurrence, assets };
}

/** Returns true if the campaign is in its group's listing. */
export function isListed({ addDay, archivedAtMs }: Campaign, atMs: number): boolean {
  return addDay * dayMs <= atMs && (archivedAtMs === undefined || atMs < archivedAtMs);
}

export function isEnabledIn(campaign: Campaign, zone: Zone, atMs: number): boolean {
  return (
    zone.groupIds.includes(campaign.groupId) &&
    !campaign.disabled.some(({ zoneIndex, fromMs }) => zoneIndex === zone.index && fromMs <= atMs)
  );
}

/** A campaign that should play in a zone on a local day. */
export interface ScheduledCampaign {
  campaign: Campaign;
  /** Assets whose dates include the day; never empty. */
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

function isWithin({ startDay, endDay }: Period, day: CalendarDay): boolean {
  return (startDay ?? day) <= day && day <= (endDay ?? day);
}
