import { campaignIds, dayMs, type SimulatedWorld } from "./simulated-world.ts";

const hourMs = 3_600_000;

/** Limits that the test sets. */
export const freshness = { history: 40, devices: 20, campaigns: 30 };
/** The schedule's time zone, whose clocks do not change in the simulated month. */
const utcOffsetMs = -5 * hourMs;

/** State of each subject. Subjects with too little data are missing or undefined. */
type Truth = Map<string, boolean | undefined>;

export interface ReferenceRule {
  name: string;
  to: readonly string[];
  /** 0 is Sunday. */
  weekdays?: readonly number[];
  remindDays?: number;
  /** Absent for a rule that is sent once per day of data. */
  truth?(world: SimulatedWorld, spanDays: number): Truth;
}

/** State of one subject as last sent to recipients. */
interface Told {
  isOpen: boolean;
  /** Last known state. */
  last: boolean | undefined;
  sentOn: number;
  /** Instants of the messages since it began. */
  toldAt: string[];
}

/** Reference model: computes in a simple way which messages each run should send. */
export class ExpectedMessages {
  /** Sorted lines `RULE CHANGE SUBJECT`, by `INSTANT RECIPIENT`. */
  readonly messages = new Map<string, string[]>();
  readonly #told = new Map<string, Told>();
  readonly #sentViews = new Map<string, { dataDay: number; atMs: number }>();

  /**
   * Records the messages that the run at this time should send.
   * @param rules rules without mistakes
   * @param hasArrived false for messages, `INSTANT RECIPIENT`, that still wait
   */
  note(
    world: SimulatedWorld,
    rules: readonly ReferenceRule[],
    spanDays: number,
    hasArrived: (message: string) => boolean,
  ): void {
    const today = Math.floor((world.nowMs + utcOffsetMs) / dayMs);
    for (const rule of rules) {
      // 1970-01-01 was a Thursday.
      const maySend = rule.weekdays?.includes((today + 4) % 7) ?? true;
      if (!rule.truth) {
        const dataDay = Math.floor((world.collectedMs.history + utcOffsetMs) / dayMs);
        const last = this.#sentViews.get(rule.name);
        const oldMs = world.nowMs - Math.max(world.collectedMs.history, last?.atMs ?? 0);
        if (maySend && (last === undefined || dataDay > last.dataDay || oldMs >= dayMs)) {
          this.#sentViews.set(rule.name, { dataDay, atMs: world.nowMs });
          this.#send(world, rule, "view");
        } else if (!maySend && last !== undefined) last.dataDay = dataDay;
        continue;
      }
      const truth = rule.truth(world, spanDays);
      const subjects = new Set([...truth.keys(), ...this.#subjectsOf(rule.name)]);
      for (const subject of subjects) {
        const key = `${rule.name}|${subject}`;
        const told = this.#told.get(key) ?? { isOpen: false, last: undefined, sentOn: 0, toldAt: [] };
        const isNow = truth.get(subject);
        if (isNow !== undefined) told.last = isNow;
        this.#told.set(key, told);
        if (!maySend) continue;
        const say = (change: string) => {
          this.#send(world, rule, `${change} ${subject}`);
          told.sentOn = today;
          told.toldAt.push(new Date(world.nowMs).toISOString());
        };
        if (!told.isOpen && isNow === true) {
          say("new");
          told.isOpen = true;
        } else if (told.isOpen && told.last === false) {
          for (const recipient of rule.to) this.#end({ world, rule, recipient, subject, told, hasArrived });
          Object.assign(told, { isOpen: false, toldAt: [] });
        } else if (told.isOpen && isNow === true && today - told.sentOn >= (rule.remindDays ?? Infinity))
          say("open");
      }
    }
  }

  /** Resets a rule, as a change of its view does. */
  forget(name: string): void {
    for (const key of [...this.#told.keys()]) if (key.startsWith(`${name}|`)) this.#told.delete(key);
  }

  /** Counts the lines with a change. */
  count(change: string): number {
    return [...this.messages.values()].flat().filter((line) => line.split(" ")[1] === change).length;
  }

  #subjectsOf(name: string): string[] {
    const keys = [...this.#told.keys()].filter((key) => key.startsWith(`${name}|`));
    return keys.map((key) => key.slice(name.length + 1));
  }

  /** Tells a recipient of an end, or withdraws what the recipient was not told yet. */
  #end(end: {
    world: SimulatedWorld;
    rule: ReferenceRule;
    recipient: string;
    subject: string;
    told: Told;
    hasArrived: (message: string) => boolean;
  }): void {
    const { world, rule, recipient, subject, told, hasArrived } = end;
    const keys = told.toldAt.map((instant) => `${instant} ${recipient}`);
    if (keys.some(hasArrived)) this.#send(world, { ...rule, to: [recipient] }, `over ${subject}`);
    else
      for (const key of keys) {
        const withdrawn = ["new", "open"].map((change) => `${rule.name} ${change} ${subject}`);
        const left = this.messages.get(key)?.filter((line) => !withdrawn.includes(line)) ?? [];
        if (left.length > 0) this.messages.set(key, left);
        else this.messages.delete(key);
      }
  }

  #send(world: SimulatedWorld, { name, to }: ReferenceRule, text: string): void {
    for (const recipient of to) {
      const key = `${new Date(world.nowMs).toISOString()} ${recipient}`;
      const lines = this.messages.get(key) ?? [];
      this.messages.set(key, lines);
      lines.push(`${name} ${text}`);
      lines.sort();
    }
  }
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

/** True for devices whose storage is nearly full, which some checks do not report. */
export function fullDevices(world: SimulatedWorld): Truth {
  const truth: Truth = new Map();
  for (const device of world.devices) {
    const { checked } = device;
    if (!checked) continue;
    const isOld = world.nowMs - checked.atMs > freshness.devices * hourMs;
    const isKnown = !isOld && checked.state !== "unknown" && checked.usedShare !== null;
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
      const subject = `Campaign ${campaignId}, Zone ${zoneId}, signage`;
      if (states.includes("missed")) truth.set(subject, true);
      else if (states.length === 0 || states.includes("compliant") || states.includes("missed_offline"))
        truth.set(subject, false);
      else truth.set(subject, undefined);
    }
  return truth;
}

/** True for campaigns that ran on less than a given share of the days that count. */
export function weakCampaigns(world: SimulatedWorld, spanDays: number, share: number): Truth {
  const truth: Truth = new Map();
  if (areCampaignsOld(world)) return truth;
  for (const campaignId of campaignIds) {
    const states = statesOf(world, campaignId, [1, 2, 3, 4], spanDays);
    const ran = states.filter((state) => state === "compliant").length;
    const failed = states.filter((state) => state.startsWith("missed")).length;
    const isKnown = ran + failed > 0 || states.length === 0;
    truth.set(`Campaign ${campaignId}, signage`, isKnown ? ran < share * (ran + failed) : undefined);
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
