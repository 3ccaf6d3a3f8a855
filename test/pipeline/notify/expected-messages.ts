import { campaignIds, dayMs, type SimulatedWorld } from "./simulated-world.ts";

const hourMs = 3_600_000;

/** Limits that the test sets. */
export const freshness = { history: 40, devices: 20, campaigns: 30 };
/** The schedule's time zone, whose clocks do not change in the simulated month. */
const utcOffsetMs = -5 * hourMs;

/** State of each entity. Entities with too little data are missing or undefined. */
type Truth = Map<string, boolean | undefined>;

export interface ReferenceRule {
  name: string;
  to: readonly string[];
  /** 0 is Sunday. */
  weekdays?: readonly number[];
  remindDays?: number;
  /** Local days, first and last, on which nothing is sent. */
  quiet?: readonly [number, number];
  /** Seconds that an incident must last, and how long it lasts. @default since a run noticed it */
  wait?: { seconds: number; measure?: (world: SimulatedWorld, subject: string) => number };
  /** Absent for a rule that is sent once per day of data. */
  truth?(world: SimulatedWorld, spanDays: number): Truth;
}

/** A recipient's knowledge of an entity. */
interface Known {
  isOpen: boolean;
  /** Last known state. */
  last: boolean | undefined;
  sentOn: number;
  /** Time of the run that noticed its beginning. */
  sinceMs?: number;
}

/** The part of a message about a rule. */
interface Section {
  /** `CHANGE SUBJECT` */
  lines: string[];
  /** Records that the recipient has read it. */
  commit(): void;
}

interface Waiting {
  /** `INSTANT RECIPIENT` */
  key: string;
  sections: Map<string, Section>;
}

/** Reference model that computes which messages each run should send. */
export class ExpectedMessages {
  /** Sorted lines `RULE CHANGE SUBJECT`, by `INSTANT RECIPIENT`. */
  readonly messages = new Map<string, string[]>();
  /** By `RULE|RECIPIENT|SUBJECT`. */
  readonly #known = new Map<string, Known>();
  readonly #views = new Map<string, { dataDay: number; atMs: number }>();
  readonly #waiting = new Map<string, Waiting>();

  /**
   * Records the message to each recipient after the run at this time, which rewrites a waiting one.
   * @param rules rules without mistakes
   * @param hasArrived false for messages, `INSTANT RECIPIENT`, that still wait
   */
  note(
    world: SimulatedWorld,
    rules: readonly ReferenceRule[],
    spanDays: number,
    hasArrived: (message: string) => boolean,
  ): void {
    for (const recipient of ["ops", "desk"]) {
      let waiting = this.#waiting.get(recipient);
      if (waiting && hasArrived(waiting.key)) {
        for (const { commit } of waiting.sections.values()) commit();
        waiting = undefined;
      }
      const key = waiting?.key ?? `${new Date(world.nowMs).toISOString()} ${recipient}`;
      // Findings of a rule that now has a mistake are still sent.
      const sections = new Map(
        [...(waiting?.sections ?? [])].filter(([name]) => !rules.some((rule) => rule.name === name)),
      );
      for (const rule of rules.filter(({ to }) => to.includes(recipient))) {
        const lines = waiting?.sections.get(rule.name)?.lines ?? [];
        const section = rule.truth
          ? this.#findChanges(world, rule, { recipient, truth: rule.truth(world, spanDays), lines })
          : this.#findView(world, rule, { recipient, lines });
        if (section.lines.length > 0) sections.set(rule.name, section);
      }
      const all = [...sections].flatMap(([name, { lines }]) => lines.map((line) => `${name} ${line}`));
      if (all.length > 0) {
        this.messages.set(key, all.sort());
        this.#waiting.set(recipient, { key, sections });
      } else {
        this.messages.delete(key);
        this.#waiting.delete(recipient);
      }
    }
  }

  /** Resets a rule, as a change of its view does. */
  forget(name: string): void {
    for (const key of [...this.#known.keys()]) if (key.startsWith(`${name}|`)) this.#known.delete(key);
    for (const { sections } of this.#waiting.values()) sections.delete(name);
  }

  /** Returns the number of lines with a change. */
  count(change: string): number {
    return [...this.messages.values()].flat().filter((line) => line.split(" ")[1] === change).length;
  }

  /** @param lines of the rule in a waiting message, which may be sent on any day */
  #findChanges(
    world: SimulatedWorld,
    rule: ReferenceRule,
    { recipient, truth, lines }: { recipient: string; truth: Truth; lines: readonly string[] },
  ): Section {
    const prefix = `${rule.name}|${recipient}|`;
    const known = [...this.#known.keys()].filter((key) => key.startsWith(prefix));
    const subjects = new Set([...truth.keys(), ...known.map((key) => key.slice(prefix.length))]);
    const today = localDay(world.nowMs);
    const found: string[] = [];
    const commits: (() => void)[] = [];
    for (const subject of subjects) {
      const about = this.#known.get(prefix + subject) ?? { isOpen: false, last: undefined, sentOn: 0 };
      this.#known.set(prefix + subject, about);
      const isNow = truth.get(subject);
      if (isNow !== undefined) about.last = isNow;
      if (isNow) about.sinceMs ??= world.nowMs;
      else if (isNow === false) delete about.sinceMs;
      const { seconds = 0, measure } = rule.wait ?? {};
      const lasted = measure?.(world, subject) ?? (world.nowMs - Number(about.sinceMs)) / 1000;
      if (isQuiet(rule, today)) continue;
      const isWaiting = lines.some((line) => line.replace(/^\w+ /, "") === subject);
      if (!maySend(rule, today) && !isWaiting) continue;
      const add = (change: string, isOpen: boolean) => {
        found.push(`${change} ${subject}`);
        commits.push(() => Object.assign(about, { isOpen, sentOn: today }));
      };
      if (!about.isOpen && isNow === true && lasted >= seconds) add("new", true);
      else if (about.isOpen && about.last === false) add("over", false);
      else if (about.isOpen && isNow && today - about.sentOn >= (rule.remindDays ?? Infinity))
        add("open", true);
    }
    return {
      lines: found,
      commit: () => {
        for (const commit of commits) commit();
      },
    };
  }

  #findView(
    { nowMs, collectedMs: { history } }: SimulatedWorld,
    rule: ReferenceRule,
    { recipient, lines }: { recipient: string; lines: readonly string[] },
  ): Section {
    const key = `${rule.name}|${recipient}`;
    const last = this.#views.get(key);
    const dataDay = localDay(history);
    const isNew = !last || dataDay > last.dataDay || nowMs - Math.max(history, last.atMs) >= dayMs;
    const isAllowed = maySend(rule, localDay(nowMs));
    if (isQuiet(rule, localDay(nowMs))) return { lines: [], commit: () => {} };
    if (lines.length > 0 || (isAllowed && isNew))
      return { lines: ["view"], commit: () => this.#views.set(key, { dataDay, atMs: nowMs }) };
    if (!isAllowed && last) last.dataDay = dataDay;
    return { lines: [], commit: () => {} };
  }
}

function localDay(ms: number): number {
  return Math.floor((ms + utcOffsetMs) / dayMs);
}

function isQuiet({ quiet: [from, to] = [0, -1] }: ReferenceRule, day: number): boolean {
  return day >= from && day <= to;
}

function maySend({ weekdays }: ReferenceRule, day: number): boolean {
  // 1970-01-01 was a Thursday.
  return weekdays?.includes((day + 4) % 7) ?? true;
}

/** True for devices that are down; false for those that left the listing. Old or unknown states are undefined. */
export function downDevices(world: SimulatedWorld, isBad: (downSeconds: number) => boolean): Truth {
  const truth: Truth = new Map();
  for (const device of world.devices) {
    const { checked } = device;
    const subject = `device ${device.deviceId}`;
    if (!checked) continue;
    if (!world.isListed(device)) truth.set(subject, false);
    else if (world.nowMs - checked.atMs > freshness.devices * hourMs || checked.state === "unknown")
      truth.set(subject, undefined);
    else
      truth.set(
        subject,
        checked.state === "down" && isBad(Math.floor((checked.atMs - checked.lastOnlineMs) / 1000)),
      );
  }
  return truth;
}

export function measureDown({ devices }: SimulatedWorld, subject: string): number {
  const checked = devices.find(({ deviceId }) => subject === `device ${deviceId}`)?.checked;
  return checked ? Math.floor((checked.atMs - checked.lastOnlineMs) / 1000) : 0;
}

/** True for devices whose storage is nearly full, which some checks do not report. */
export function fullDevices(world: SimulatedWorld): Truth {
  const truth: Truth = new Map();
  for (const device of world.devices) {
    const { checked } = device;
    if (!checked) continue;
    const isOld = world.nowMs - checked.atMs > freshness.devices * hourMs;
    const isKnown = !isOld && checked.usedShare !== null;
    const isFull = isKnown ? Number(checked.usedShare) >= 0.9 : undefined;
    truth.set(`device ${device.deviceId}`, world.isListed(device) ? isFull : false);
  }
  return truth;
}

/** True for devices that are not down but in a silent zone, which is known whatever the device's status. */
export function silentDevices(world: SimulatedWorld): Truth {
  const truth: Truth = new Map();
  for (const device of world.devices) {
    const { checked, zoneId } = device;
    if (!checked) continue;
    const isOld = world.nowMs - checked.atMs > freshness.devices * hourMs;
    const isSilent = checked.state !== "down" && world.silentZones.includes(zoneId);
    truth.set(`device ${device.deviceId}`, !world.isListed(device) ? false : isOld ? undefined : isSilent);
  }
  return truth;
}

/** True for campaigns missed in a zone on any of the last days. */
export function missedCampaigns(world: SimulatedWorld, spanDays: number): Truth {
  const truth: Truth = new Map();
  if (areCampaignsOld(world)) return truth;
  for (const campaignId of campaignIds)
    for (const zoneId of [1, 2, 3, 4]) {
      const states = statesOf(world, campaignId, [zoneId], spanDays);
      const subject = `Campaign ${campaignId} (Zone ${zoneId}, signage)`;
      if (states.includes("missed")) truth.set(subject, true);
      else if (states.length === 0 || states.includes("compliant") || states.includes("missed_offline"))
        truth.set(subject, false);
      else truth.set(subject, undefined);
    }
  return truth;
}

/** True for campaigns with a compliance below a given ratio. */
export function weakCampaigns(world: SimulatedWorld, spanDays: number, share: number): Truth {
  const truth: Truth = new Map();
  if (areCampaignsOld(world)) return truth;
  for (const campaignId of campaignIds) {
    const states = statesOf(world, campaignId, [1, 2, 3, 4], spanDays);
    const ran = states.filter((state) => state === "compliant").length;
    const failed = states.filter((state) => state.startsWith("missed")).length;
    const isKnown = ran + failed > 0 || states.length === 0;
    truth.set(`Campaign ${campaignId} (signage)`, isKnown ? ran < share * (ran + failed) : undefined);
  }
  return truth;
}

export function oldSources(world: SimulatedWorld): Truth {
  return new Map(
    Object.entries(freshness).map(([topic, hours]) => [
      `collection of ${topic}`,
      world.nowMs - world.collectedMs[topic as keyof typeof freshness] > hours * hourMs,
    ]),
  );
}

function areCampaignsOld({ nowMs, collectedMs }: SimulatedWorld): boolean {
  return nowMs - collectedMs.campaigns > freshness.campaigns * hourMs;
}

function statesOf(world: SimulatedWorld, campaignId: number, zoneIds: readonly number[], spanDays: number) {
  const states: string[] = [];
  for (const zoneId of zoneIds)
    for (let day = world.lastWholeDay - spanDays + 1; day <= world.lastWholeDay; day += 1) {
      const state = world.stateOf(campaignId, zoneId, day);
      if (state !== undefined) states.push(state);
    }
  return states;
}
