import { dateText, dayMs } from "../../src/emulator/world/calendar-day.ts";
import {
  type ContentKind,
  campaignAt,
  isEnabledIn,
  isListed,
} from "../../src/emulator/world/content/campaign.ts";
import { occursOn, parseRecurrence, type Recurrence } from "../../src/emulator/world/content/recurrence.ts";
import type { Zone } from "../../src/emulator/world/premises/zone.ts";
import type { World } from "../../src/emulator/world/world.ts";
import { kinds } from "../../src/util/kind.ts";
import { OpeningTruth } from "./opening-truth.ts";

/** First and last day, inclusive; undefined is open. */
interface Dates {
  startDay: number | undefined;
  endDay: number | undefined;
}

interface TrueCampaign extends Dates {
  campaignId: number;
  addDay: number;
  recurrence: Recurrence | undefined;
  isEnabled: boolean;
  assets: readonly ({ itemId: number } & Dates)[];
}

/** Changes to campaigns through the service, in addition to those of the world. */
export type Command = { kind: ContentKind; campaignId: number } & (
  | { does: "enable" | "disable"; zoneId: number }
  | { does: "archive" }
  | { does: "create"; groupId: number; addDay: number; startDay?: number; rule: string }
  | { does: "link" | "unlink"; assetId: number }
);

export interface CellsQuery {
  zones: readonly Zone[];
  /** Last request of the history. */
  now: Date;
  /** Request times of a zone's campaigns, in order: after each change, and sometimes in between. */
  listedAtMs: (kind: ContentKind, zoneId: number) => readonly number[];
  /** By zone, the weekdays (1 is Monday) on which the analyst marks it as open. */
  openWeekdays: ReadonlyMap<number, readonly number[]>;
  /** Known device states, by zone and date. */
  devices: ReadonlyMap<string, { isUp: boolean; isDown: boolean }>;
}

const contentKinds = ["signage", "messaging"] as const;
const settleDays = 3;
/** A play this long after a rule's time is too late for it. */
const slotSecs = 3600;

/** Start times of an item's plays, in seconds after local midnight. */
type PlayedItems = Map<number, number[]>;

/**
 * The true state of every campaign in every zone on every day, from the world's plan, commands and plays:
 * computed campaign by campaign, without SQL and independently of the program.
 */
export class CampaignTruth {
  readonly #world: World;
  readonly #commands: { atMs: number; command: Command }[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  note(atMs: number, command: Command): void {
    this.#commands.push({ atMs, command });
  }

  /** As `kind campaign zone date state/reason candidates weighted assumed due met`; `- -` without times. */
  cells(query: CellsQuery): string[] {
    const { zones, now } = query;
    const played = new Map<string, PlayedItems>();
    const activeDays = new Set<string>();
    const openings = new OpeningTruth(query.openWeekdays);
    for (const kind of kinds) {
      const zoneIds = zones.map(({ zoneId }) => zoneId);
      for (const play of this.#world.plays({ kind, zoneIds, visibleAt: now })) {
        const { zoneId, localDate, itemId } = play;
        const startSecs = secondsOfDay(play);
        activeDays.add(`${zoneId} ${localDate}`);
        openings.note(zoneId, dayOf(localDate), startSecs, startSecs + play.durationSecs);
        const key = `${kind} ${zoneId} ${localDate}`;
        const items: PlayedItems = played.get(key) ?? new Map();
        played.set(key, items.set(itemId, [...(items.get(itemId) ?? []), startSecs]));
      }
    }
    const cells: string[] = [];
    for (const zone of zones) {
      const lastDay = zone.clock.dayAt(now.getTime());
      for (let day = this.#world.plan.firstDay; day <= lastDay; day += 1) {
        const hadPlays = activeDays.has(`${zone.zoneId} ${dateText(day)}`);
        const isClosed = !hadPlays && isClosedOn(zone, day, query.openWeekdays, activeDays);
        for (const kind of contentKinds) {
          const items: PlayedItems = played.get(`${kind} ${zone.zoneId} ${dateText(day)}`) ?? new Map();
          const isOpenAt = (secs: number) => openings.isOpen(zone.zoneId, day, secs);
          cells.push(...this.#cellsOfDay(query, kind, zone, day, items, { hadPlays, isClosed, isOpenAt }));
        }
      }
    }
    return cells.sort();
  }

  #cellsOfDay(
    query: CellsQuery,
    kind: ContentKind,
    zone: Zone,
    day: number,
    items: PlayedItems,
    {
      hadPlays,
      isClosed,
      isOpenAt,
    }: { hadPlays: boolean; isClosed: boolean; isOpenAt: (secs: number) => boolean },
  ): string[] {
    const { now, listedAtMs, devices } = query;
    const key = `${zone.zoneId} ${dateText(day)}`;
    const { isUp = false, isDown = false } = devices.get(key) ?? {};
    const startMs = zone.clock.instantOf(day, 0);
    const endMs = zone.clock.instantOf(day + 1, 0);
    const nowMs = now.getTime();
    const listings = listedAtMs(kind, zone.zoneId);
    // The latest listing up to then, or the first one if there is none yet.
    const inForce = (atMs: number) =>
      this.#listedIn(kind, zone, listings.findLast((listedMs) => listedMs <= atMs) ?? listings[0] ?? atMs);
    const atStart = inForce(startMs);
    const atEnd = inForce(Math.min(endMs - 1, nowMs));
    const afterMs = listings.find((atMs) => atMs >= endMs);
    const after = afterMs === undefined ? undefined : this.#listedIn(kind, zone, afterMs);
    const scheduled = new Set(
      atStart.filter((campaign) => isScheduled(campaign, day)).map(({ campaignId }) => campaignId),
    );
    const assetsOf = new Map<number, Set<number>>();
    for (const { campaignId, assets } of [...atStart, ...atEnd]) {
      const own = assetsOf.get(campaignId) ?? new Set();
      for (const asset of assets) if (isWithin(asset, day)) own.add(asset.itemId);
      assetsOf.set(campaignId, own);
    }
    const claimants = (itemId: number) =>
      [...scheduled].filter((campaignId) => assetsOf.get(campaignId)?.has(itemId)).length;
    return [...assetsOf].flatMap(([campaignId, assets]) => {
      const isOn = scheduled.has(campaignId);
      const claimed = [...assets].filter((itemId) => isOn || claimants(itemId) === 0);
      const countOf = (itemId: number) => items.get(itemId)?.length ?? 0;
      const candidates = claimed.reduce((sum, itemId) => sum + countOf(itemId), 0);
      if (!isOn && candidates === 0) return [];
      const weighted = isOn
        ? claimed.reduce((sum, itemId) => sum + countOf(itemId) / claimants(itemId), 0)
        : 0;
      let state = "missed";
      if (!isOn) state = "unscheduled";
      else if (endMs + settleDays * dayMs > nowMs) state = "pending";
      else if (candidates > 0) state = "compliant";
      else if (isClosed) state = "closed";
      else if (isDoubtful(atStart, after, afterMs, campaignId, zone, day)) state = "not_measurable";
      else if (!hadPlays && !isUp && !isDown) state = "not_measurable";
      else if (isDown && !isUp) state = "missed_offline";
      const reasons: Record<string, () => string> = {
        pending: () => "not_settled",
        closed: () => (query.openWeekdays.has(zone.zoneId) ? "closed_by_hours" : "closed_by_habit"),
        not_measurable: () =>
          isDoubtful(atStart, after, afterMs, campaignId, zone, day) ? "listings_disagree" : "device_unknown",
        missed_offline: () => "device_down",
        missed: () => {
          if (due?.length === 0) return "not_due_while_open";
          if (!hadPlays) return "zone_silent";
          return items.size === 0 ? "kind_silent" : "other_content";
        },
      };
      const isAssumed = startMs < (listings[0] ?? 0);
      const rule = isOn ? atStart.find((campaign) => campaign.campaignId === campaignId) : undefined;
      const due = rule && timesOn(rule, day)?.filter(isOpenAt);
      const begun = claimed.flatMap((itemId) => items.get(itemId) ?? []);
      const met = due?.filter((secs) => begun.some((play) => play >= secs && play < secs + slotSecs));
      const times = due && met ? `${due.length} ${met.length}` : "- -";
      return [
        `${kind} ${campaignId} ${key} ${state}/${reasons[state]?.() ?? "-"} ${candidates} ${weighted.toFixed(3)} ${isAssumed} ${times}`,
      ];
    });
  }

  /** Campaigns listed for a zone at an instant: those of its groups. */
  #listedIn(kind: ContentKind, zone: Zone, atMs: number): TrueCampaign[] {
    const planned = this.#world.plan.campaigns
      .filter((campaign) => campaign.kind === kind && zone.groupIds.includes(campaign.groupId))
      .filter((campaign) => isListed(campaign, atMs))
      .map((campaign) => ({ ...campaignAt(campaign, atMs), isEnabled: isEnabledIn(campaign, zone, atMs) }));
    const listed = new Map<number, TrueCampaign>(planned.map((campaign) => [campaign.campaignId, campaign]));
    for (const done of this.#commands) {
      const { command } = done;
      if (done.atMs > atMs || command.kind !== kind) continue;
      const campaign = listed.get(command.campaignId);
      if (command.does === "create" && zone.groupIds.includes(command.groupId)) {
        listed.set(command.campaignId, created(command));
      } else if (command.does === "archive") {
        listed.delete(command.campaignId);
      } else if (campaign && "zoneId" in command && command.zoneId === zone.zoneId) {
        listed.set(command.campaignId, { ...campaign, isEnabled: command.does === "enable" });
      } else if (campaign && "assetId" in command) {
        const others = campaign.assets.filter(({ itemId }) => itemId !== command.assetId);
        const linked = command.does === "link" ? [this.#assetOf(kind, command.assetId)] : [];
        listed.set(command.campaignId, { ...campaign, assets: [...others, ...linked] });
      }
    }
    return [...listed.values()];
  }

  #assetOf(kind: ContentKind, assetId: number): TrueCampaign["assets"][number] {
    const assets = this.#world.plan.campaigns.flatMap((campaign) => campaign.assets);
    const found = assets.find((asset) => asset.kind === kind && asset.itemId === assetId);
    if (!found) throw new Error(`The world has no ${kind} asset ${assetId}.`);
    return found;
  }
}

/** Seconds after midnight, if the rule contains hours; COUNT may end within the day. */
function timesOn({ recurrence, ...dates }: TrueCampaign, day: number): number[] | undefined {
  if (!recurrence?.hours) return undefined;
  const hours = [...recurrence.hours].sort((a, b) => a - b);
  const times = hours.map((hour) => hour * 3600);
  if (recurrence.count === undefined) return times;
  const endless = { ...recurrence, count: undefined };
  let earlier = 0;
  for (let before = dates.startDay ?? dates.addDay + 1; before < day; before += 1) {
    if (occursOn(endless, dates, before)) earlier += times.length;
  }
  return times.slice(0, Math.max(0, recurrence.count - earlier));
}

function secondsOfDay({
  startedAt,
  utcOffsetMinutes,
}: {
  startedAt: number;
  utcOffsetMinutes: number;
}): number {
  const localMs = startedAt + utcOffsetMinutes * 60_000;
  return Math.floor((localMs - Math.floor(localMs / dayMs) * dayMs) / 1000);
}

function dayOf(date: string): number {
  return Date.parse(date) / dayMs;
}

function created({ campaignId, addDay, startDay, rule }: Extract<Command, { does: "create" }>): TrueCampaign {
  const recurrence = rule === "" ? undefined : parseRecurrence(rule);
  return { campaignId, addDay, startDay, endDay: undefined, recurrence, isEnabled: true, assets: [] };
}

function isScheduled(campaign: TrueCampaign, day: number): boolean {
  const { isEnabled, recurrence, startDay, addDay, assets } = campaign;
  if (!isEnabled || !isWithin(campaign, day) || (startDay === undefined && day <= addDay)) return false;
  if (recurrence && !occursOn(recurrence, campaign, day)) return false;
  return assets.some((asset) => isWithin(asset, day));
}

/** Returns whether the first listing after a day contradicts that a campaign was scheduled on it. */
function isDoubtful(
  before: readonly TrueCampaign[],
  after: readonly TrueCampaign[] | undefined,
  afterMs: number | undefined,
  campaignId: number,
  { clock }: Zone,
  day: number,
): boolean {
  if (!after || afterMs === undefined) return false;
  const listed = after.find((campaign) => campaign.campaignId === campaignId);
  if (listed) return !isScheduled(listed, day);
  // An ended campaign may disappear.
  const { endDay } = before.find((campaign) => campaign.campaignId === campaignId) ?? {};
  return endDay === undefined || clock.instantOf(endDay + 1, 0) > afterMs;
}

function isWithin({ startDay, endDay }: Dates, day: number): boolean {
  return (startDay ?? day) <= day && day <= (endDay ?? day);
}

/** As configured by the analyst; otherwise, no plays on this weekday within four weeks, but plays on others. */
function isClosedOn(
  { zoneId }: Zone,
  day: number,
  openWeekdays: CellsQuery["openWeekdays"],
  activeDays: ReadonlySet<string>,
): boolean {
  const given = openWeekdays.get(zoneId);
  if (given) return !given.includes(((((day + 3) % 7) + 7) % 7) + 1);
  const isActive = (other: number) => activeDays.has(`${zoneId} ${dateText(other)}`);
  const around = Array.from({ length: 57 }, (_, index) => day - 28 + index);
  return around.some(isActive) && !around.some((other) => (other - day) % 7 === 0 && isActive(other));
}
