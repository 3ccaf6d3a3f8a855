import { type CalendarDay, dayMs } from "../calendar-day.ts";
import { findOutages } from "../premises/zone.ts";
import { Random } from "../random.ts";
import type { WorldPlan } from "../world-plan.ts";
import { type Notice, type NoticeUpdate, publishedAt } from "./notice.ts";
import { findConnectivityComponent, type StatusComponent, statusComponents } from "./status-component.ts";

type Draft = Omit<Notice, "noticeId">;

const daysBefore = 45;
const daysAfter = 7;
/** Number of zones whose outages cause notices. Further zones are branches of these. */
const watchedZones = 12;
const minuteMs = 60_000;

/**
 * Plans all notices from weeks before the world's first day to a week after its last, in order of
 * publication. They are planned, unplanned or general; some incidents are the visible effect of device
 * outages.
 */
export function planNotices(plan: WorldPlan): Notice[] {
  const drafts = plan.zones.slice(0, watchedZones).flatMap((zone) => {
    const [fromMs, untilMs] = [plan.firstDay * dayMs, (plan.firstDay + plan.days) * dayMs];
    return findOutages(plan.seed, zone.deviceId, fromMs, untilMs)
      .filter(({ startedAtMs, endedAtMs }) => endedAtMs - startedAtMs > 150 * minuteMs)
      .filter(({ startedAtMs }) => new Random(plan.seed, "told", zone.deviceId, startedAtMs).chance(0.6))
      .map(({ startedAtMs, endedAtMs }) =>
        planUnreachable(new Random(plan.seed, "unreachable", zone.deviceId, startedAtMs), {
          beganAtMs: Math.ceil(startedAtMs / minuteMs) * minuteMs,
          endedAtMs: Math.ceil(endedAtMs / minuteMs) * minuteMs,
          place: zone.location.city,
          componentId: findConnectivityComponent(zone.timeZone).componentId,
        }),
      );
  });
  for (let day = plan.firstDay - daysBefore; day < plan.firstDay + plan.days + daysAfter; day += 1) {
    const random = new Random(plan.seed, "notices", day);
    if (random.chance(0.3)) drafts.push(...planMaintenance(random, day));
    if (random.chance(0.4)) {
      const beganAtMs = day * dayMs + random.between(0, 1439) * minuteMs;
      drafts.push(planIncident(random, random.pick(statusComponents), beganAtMs));
    }
    if (random.chance(0.15)) drafts.push(planAnnouncement(random, day));
  }
  return drafts
    .sort((left, right) => publishedAt(left) - publishedAt(right))
    .map((draft, index) => ({ noticeId: 7001 + index, ...draft }));
}

function planUnreachable(
  random: Random,
  span: { beganAtMs: number; endedAtMs: number; place: string; componentId: number },
): Draft {
  const { beganAtMs, endedAtMs, place, componentId } = span;
  const seenAtMs = beganAtMs + random.between(10, 40) * minuteMs;
  return {
    type: "unplanned",
    subject: `Players in ${place} can't be reached`,
    tags: ["players", "network"],
    componentIds: [componentId],
    beganAtMs,
    plannedSpan: undefined,
    updates: [
      { state: "investigating", content: `Some players in ${place} are offline.`, atMs: seenAtMs },
      {
        state: "identified",
        content: "The cause is an outage at a network provider.",
        atMs: seenAtMs + random.between(10, 60) * minuteMs,
      },
      { state: "recovering", content: "Players are reconnecting.", atMs: endedAtMs },
      { state: "resolved", content: "All players are back online.", atMs: endedAtMs + 15 * minuteMs },
    ],
  };
}

/** Plans a maintenance, which sometimes causes an incident. */
function planMaintenance(random: Random, day: CalendarDay): Draft[] {
  const component = random.pick(statusComponents);
  const { componentId, name } = component;
  const announcedAtMs = day * dayMs + random.between(540, 960) * minuteMs;
  const beginsAtMs = (day + random.between(2, 6)) * dayMs + random.between(4, 20) * 15 * minuteMs;
  const endsAtMs = beginsAtMs + random.between(2, 12) * 30 * minuteMs;
  const startedAtMs = beginsAtMs + random.between(0, 10) * minuteMs;
  const isCancelled = random.chance(0.15);
  const cancelled: NoticeUpdate = {
    state: "cancelled",
    content: "This maintenance is no longer needed.",
    atMs: beginsAtMs - random.between(1, 20) * 60 * minuteMs,
  };
  const carriedOut: NoticeUpdate[] = [
    { state: "underway", content: "The maintenance has started.", atMs: startedAtMs },
    {
      state: "complete",
      content: "The maintenance is complete.",
      atMs: endsAtMs + random.between(-25, 40) * minuteMs,
    },
  ];
  const maintenance: Draft = {
    type: "planned",
    subject: `Maintenance of ${name}`,
    tags: ["maintenance"],
    componentIds: [componentId],
    beganAtMs: undefined,
    plannedSpan: { beginsAtMs, endsAtMs },
    updates: [
      { state: "scheduled", content: `${name} will be maintained.`, atMs: announcedAtMs },
      ...(isCancelled ? [cancelled] : carriedOut),
    ],
  };
  const isTroubled = !isCancelled && random.chance(0.25);
  return isTroubled
    ? [maintenance, planIncident(random, component, startedAtMs + 10 * minuteMs)]
    : [maintenance];
}

function planIncident(random: Random, { componentId, name }: StatusComponent, beganAtMs: number): Draft {
  const seenAtMs = beganAtMs + random.between(2, 15) * minuteMs;
  const updates: NoticeUpdate[] = [
    { state: "investigating", content: `We are investigating reports about ${name}.`, atMs: seenAtMs },
  ];
  if (random.chance(0.2)) {
    const atMs = seenAtMs + random.between(10, 50) * minuteMs;
    updates.push({ state: "false_alarm", content: "There was no problem on our side.", atMs });
  } else {
    const identifiedAtMs = seenAtMs + random.between(5, 60) * minuteMs;
    const recoveringAtMs = identifiedAtMs + random.between(10, 240) * minuteMs;
    const resolvedAtMs = recoveringAtMs + random.between(5, 60) * minuteMs;
    updates.push(
      {
        state: "identified",
        content: "We have found the cause and are working on a fix.",
        atMs: identifiedAtMs,
      },
      {
        state: "recovering",
        content: "A fix is in place. We are monitoring the results.",
        atMs: recoveringAtMs,
      },
      { state: "resolved", content: "The incident is resolved.", atMs: resolvedAtMs },
    );
  }
  return {
    type: "unplanned",
    subject: random.pick([`${name} is slow`, `Errors of ${name}`, `${name}: <delays> & "gaps"`]),
    tags: random.chance(0.5) ? ["incident"] : [],
    componentIds: random.chance(0.3)
      ? [...new Set([componentId, random.pick(statusComponents).componentId])]
      : [componentId],
    beganAtMs,
    plannedSpan: undefined,
    updates,
  };
}

function planAnnouncement(random: Random, day: CalendarDay): Draft {
  const publishedAtMs = day * dayMs + random.between(480, 1020) * minuteMs;
  return {
    type: "general",
    subject: random.pick([
      "New player firmware",
      "Holiday support hours",
      "Changes to playlists",
      "Newsletter",
    ]),
    tags: ["news"],
    componentIds: [],
    beganAtMs: undefined,
    plannedSpan: undefined,
    updates: [
      { state: undefined, content: "Read more in the portal.", atMs: publishedAtMs },
      ...(random.chance(0.3)
        ? [{ state: undefined, content: "Corrected a date.", atMs: publishedAtMs + 90 * minuteMs }]
        : []),
    ],
  };
}
