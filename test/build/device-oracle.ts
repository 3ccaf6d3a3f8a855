/** One listing of a device, as the service returned it. Instants in epoch seconds. */
export interface OracleSnapshot {
  groupId: number;
  at: number;
  deviceId: number;
  zoneId: number;
  status: string;
  lastOnlineAt: number | null;
}

interface OraclePlay {
  zoneId: number;
  /** Epoch seconds. */
  startedAt: number;
  durationSecs: number;
  offsetMinutes: number;
}

/** Seconds after midnight, by weekday (1 is Monday). */
export type OracleHours = Readonly<Record<number, readonly [opens: number, closes: number][]>>;

export interface OracleWorld {
  snapshots: readonly OracleSnapshot[];
  plays: readonly OraclePlay[];
  /** IANA time zones, by zone. */
  timeZones: ReadonlyMap<number, string>;
  hours: ReadonlyMap<number, OracleHours>;
  planned: readonly { from: number; until: number }[];
  /** End of the known plays, epoch seconds. */
  historyUntil: number;
}

export interface OracleDay {
  up: number;
  down: number;
  unknown: number;
  openUp: number;
  openDown: number;
  planned: number;
  silent: number;
  playing: number;
  outages: number;
}

const up = 1;
const down = 2;
const unknown = 3;
const daySeconds = 86_400;

interface Outage {
  zoneId: number;
  seconds: number;
  /** First snapshot that shows the device up again, epoch seconds. */
  seenUpAt: number | null;
}

/**
 * Oracle for devices: assigns a state to every second of every device and evaluates each second alone. Slow
 * and simple on purpose; shares no code with the program.
 */
export function deriveDevices(world: OracleWorld): {
  /** By device, zone and date. */
  days: Map<string, OracleDay>;
  /** By zone and date: up if any device is up, else down if any is. */
  zoneDays: Map<string, OracleDay>;
  outages: Map<string, Outage>;
  /** Seconds of each span, by device, zone and start. */
  silences: Map<string, number>;
  /** By zone and date, for the whole days around the snapshots or, without any, around the plays. */
  openDays: Map<string, OpenDay>;
} {
  const { snapshots, plays } = world;
  const instants = (snapshots.length > 0 ? snapshots : plays).map((one) =>
    "at" in one ? one.at : one.startedAt,
  );
  const first = Math.min(...instants) - 2 * daySeconds;
  const last = Math.max(...instants) + 2 * daySeconds;
  const zoneIds = [...new Set([...snapshots, ...plays].map(({ zoneId }) => zoneId))];
  const zones = new Map(zoneIds.map((zoneId) => [zoneId, deriveZone(world, zoneId, first, last)]));
  const days = new Map<string, OracleDay>();
  const outages = new Map<string, Outage>();
  const silences = new Map<string, number>();
  const zoneDays = new Map<string, OracleDay>();
  const zoneStates = new Map(zoneIds.map((zoneId) => [zoneId, new Uint8Array(last - first)]));
  const maxGap = gapLimits(world.snapshots);
  const counted = countedUntil(world.snapshots);
  for (const deviceId of new Set(world.snapshots.map((snapshot) => snapshot.deviceId))) {
    const mine = ownSnapshots(world.snapshots, deviceId);
    for (const zoneId of new Set(mine.map((snapshot) => snapshot.zoneId))) {
      const zone = zones.get(zoneId);
      if (!zone) continue;
      const states = deriveStates(mine, zoneId, maxGap, counted.get(deviceId) ?? 0, first, last);
      countDays(`${deviceId} ${zoneId}`, zoneId, states, zone, world, first, days, { outages, silences });
      addStates(zoneStates.get(zoneId), states);
    }
  }
  for (const [zoneId, states] of zoneStates) {
    const zone = zones.get(zoneId);
    const spans = { outages: new Map(), silences: new Map() };
    if (zone) countDays(`${zoneId}`, zoneId, states, zone, world, first, zoneDays, spans);
  }
  const openDays = new Map(
    [...zoneStates].flatMap(([zoneId, states]) => {
      const zone = zones.get(zoneId);
      return zone ? deriveQuiet(zoneId, states, zone, world, first) : [];
    }),
  );
  return { days, zoneDays, outages, silences, openDays };
}

interface OpenDay {
  open: number;
  quiet: number;
  silent: number;
  down: number;
}

/** Counts open and quiet seconds of each whole local day, second by second. */
function deriveQuiet(
  zoneId: number,
  states: Uint8Array,
  { date, open, playing }: DerivedZone,
  { historyUntil }: OracleWorld,
  first: number,
): [string, OpenDay][] {
  const byNumber = new Map<number, OpenDay>();
  const isQuiet = (index: number) =>
    open[index] === 1 && playing[index] === 0 && first + index < historyUntil;
  let quietUntil = 0;
  for (let index = 0; index < states.length; index += 1) {
    const number = date[index] ?? 0;
    const day = byNumber.get(number) ?? { open: 0, quiet: 0, silent: 0, down: 0 };
    byNumber.set(number, day);
    if (open[index] === 1) day.open += 1;
    if (index >= quietUntil && isQuiet(index)) {
      let end = index;
      while (end < states.length && isQuiet(end)) end += 1;
      if (end - index > 600) quietUntil = end;
    }
    if (index >= quietUntil || !isQuiet(index)) continue;
    day.quiet += 1;
    if (states[index] === up) day.silent += 1;
    if (states[index] === down) day.down += 1;
  }
  const numbers = [...byNumber.keys()].sort((a, b) => a - b).slice(1, -1);
  return numbers.flatMap((number) => {
    const day = byNumber.get(number);
    const text = new Date(number * daySeconds * 1000).toISOString().slice(0, 10);
    return day ? [[`${zoneId} ${text}`, day] as [string, OpenDay]] : [];
  });
}

/** Merges states second by second, keeping the better one: up, down, unknown, none. */
function addStates(sum: Uint8Array | undefined, states: Uint8Array): void {
  const rank = [0, 3, 2, 1];
  for (const [index, state] of states.entries()) {
    if (sum && (rank[state] ?? 0) > (rank[sum[index] ?? 0] ?? 0)) sum[index] = state;
  }
}

/** Per group and instant: 2.5 times the median of the last 20 gaps. */
function gapLimits(snapshots: readonly OracleSnapshot[]): (snapshot: OracleSnapshot) => number | undefined {
  const limits = new Map<string, number>();
  for (const groupId of new Set(snapshots.map((snapshot) => snapshot.groupId))) {
    const instants = [
      ...new Set(snapshots.filter((one) => one.groupId === groupId).map(({ at }) => at)),
    ].sort((a, b) => a - b);
    const gaps: number[] = [];
    for (const [index, at] of instants.entries()) {
      const before = instants[index - 1];
      if (before === undefined) continue;
      gaps.push(at - before);
      const recent = gaps.slice(-20).sort((a, b) => a - b);
      const low = recent[Math.floor((recent.length - 1) / 2)] ?? 0;
      const high = recent[Math.floor(recent.length / 2)] ?? 0;
      limits.set(`${groupId} ${at}`, 2.5 * ((low + high) / 2));
    }
  }
  return ({ groupId, at }) => limits.get(`${groupId} ${at}`);
}

function ownSnapshots(snapshots: readonly OracleSnapshot[], deviceId: number): OracleSnapshot[] {
  const byInstant = new Map<number, OracleSnapshot>();
  for (const snapshot of snapshots) {
    if (snapshot.deviceId !== deviceId) continue;
    const known = byInstant.get(snapshot.at);
    if (!known || known.groupId > snapshot.groupId) byInstant.set(snapshot.at, snapshot);
  }
  return [...byInstant.values()].sort((a, b) => a.at - b.at);
}

function stateOf({ status }: OracleSnapshot): number {
  return status === "online" ? up : status === "offline" ? down : unknown;
}

/** The instant up to which each device is included: its last snapshot or, if replaced, its last online time. */
function countedUntil(snapshots: readonly OracleSnapshot[]): Map<number, number> {
  const devices = [...new Set(snapshots.map(({ deviceId }) => deviceId))].map((deviceId) => {
    const mine = ownSnapshots(snapshots, deviceId);
    const online = mine.map((one) =>
      stateOf(one) === up ? one.at : Math.min(one.lastOnlineAt ?? 0, one.at),
    );
    return { deviceId, mine, newest: mine.at(-1), onlineAt: Math.max(...online) };
  });
  return new Map(
    devices.map(({ deviceId, mine, newest, onlineAt }) => {
      const others = devices.filter((other) => other.newest?.zoneId === newest?.zoneId);
      const isReplaced =
        newest && stateOf(newest) !== up && others.some((other) => other.onlineAt > onlineAt);
      return [deviceId, isReplaced ? Math.max(onlineAt, mine[0]?.at ?? 0) : (newest?.at ?? 0)];
    }),
  );
}

function deriveStates(
  mine: readonly OracleSnapshot[],
  zoneId: number,
  maxGap: (snapshot: OracleSnapshot) => number | undefined,
  countedUntilAt: number,
  first: number,
  last: number,
): Uint8Array {
  const states = new Uint8Array(last - first);
  for (const [index, b] of mine.entries()) {
    const a = mine[index - 1];
    if (!a || a.zoneId !== zoneId) continue;
    const gap = maxGap(b);
    const online = b.lastOnlineAt === null ? undefined : Math.min(Math.max(b.lastOnlineAt, a.at), b.at);
    for (let t = a.at; t < b.at && t < countedUntilAt; t += 1) {
      states[t - first] = stateAt(t, a, b, online, gap);
    }
  }
  return states;
}

function stateAt(
  t: number,
  a: OracleSnapshot,
  b: OracleSnapshot,
  online: number | undefined,
  gap: number | undefined,
): number {
  const from = stateOf(a);
  const to = stateOf(b);
  const isShort = (seconds: number) => gap !== undefined && seconds <= gap;
  if (from === up && to === up) return isShort(b.at - a.at) ? up : unknown;
  if (from === down && to === up) return isShort(b.at - a.at) ? down : unknown;
  if (from === unknown || to !== down || online === undefined) return unknown;
  if (t >= online) return down;
  return from === up && isShort(online - a.at) ? up : unknown;
}

interface DerivedZone {
  /** Per second: the local date as days since the epoch. */
  date: Int32Array;
  /** Per second: 1 while open. */
  open: Uint8Array;
  playing: Uint8Array;
}

function deriveZone(world: OracleWorld, zoneId: number, first: number, last: number): DerivedZone {
  const plays = world.plays
    .filter((play) => play.zoneId === zoneId)
    .sort((a, b) => a.startedAt - b.startedAt || a.offsetMinutes - b.offsetMinutes);
  const playing = new Uint8Array(last - first);
  for (const { startedAt, durationSecs } of plays) {
    for (let t = Math.max(startedAt, first); t < startedAt + durationSecs && t < last; t += 1)
      playing[t - first] = 1;
  }
  const startOf = dayStarts(world.timeZones.get(zoneId), plays);
  const date = new Int32Array(last - first);
  const open = new Uint8Array(last - first);
  for (let day = Math.floor(first / daySeconds) - 1; day <= Math.ceil(last / daySeconds) + 1; day += 1) {
    date.fill(day, clamp(startOf(day, 0) - first), clamp(startOf(day + 1, 0) - first));
    for (const [opens, closes] of hoursOn(world.hours.get(zoneId), plays, day)) {
      open.fill(1, clamp(startOf(day, opens) - first), clamp(startOf(day, closes) - first));
    }
  }
  return { date, open, playing };

  function clamp(index: number): number {
    return Math.min(Math.max(index, 0), last - first);
  }
}

/** The instant at which the zone's clock first shows, or skips, this many seconds after a day's midnight. */
function dayStarts(
  timeZone: string | undefined,
  plays: readonly OraclePlay[],
): (day: number, seconds: number) => number {
  const offsets = new Map<number, number>();
  for (const { startedAt, offsetMinutes } of plays) {
    offsets.set(Math.floor((startedAt + offsetMinutes * 60) / daySeconds), offsetMinutes);
  }
  const dates = [...offsets.keys()].sort((a, b) => a - b);
  const offsetOn = (day: number) => offsets.get(dates.findLast((date) => date <= day) ?? dates[0] ?? 0) ?? 0;
  return (day, seconds) => {
    if (timeZone !== undefined) return firstShown(timeZone, day * daySeconds + seconds);
    const late = Math.floor(seconds / daySeconds);
    return (day + late) * daySeconds - offsetOn(day + late) * 60 + (seconds - late * daySeconds);
  };
}

/** @param wall local clock time, in seconds since 1970 */
function firstShown(timeZone: string, wall: number): number {
  const before = offsetIn(timeZone, wall - daySeconds);
  const after = offsetIn(timeZone, wall + daySeconds);
  const shown = [wall - before, wall - after].filter((at) => at + offsetIn(timeZone, at) === wall);
  if (shown.length > 0) return Math.min(...shown);
  let at = wall - after;
  while (offsetIn(timeZone, at) === before) at += 60;
  return at;
}

/** Seconds by which the zone's clock is ahead of UTC. */
export function offsetIn(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at * 1000);
  const get = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(get("year"), get("month") - 1, get("day"), get("hour"), get("minute"), get("second"));
  return wall / 1000 - at;
}

/** Configured hours, or the median first and last play of the weekday within four weeks; days begin at 05:00. */
function hoursOn(
  given: OracleHours | undefined,
  plays: readonly OraclePlay[],
  day: number,
): readonly (readonly [opens: number, closes: number])[] {
  if (given) return given[((((day + 3) % 7) + 7) % 7) + 1] ?? [];
  const spans = [];
  for (let weeks = -4; weeks <= 4; weeks += 1) {
    const other = day + 7 * weeks;
    const own = plays
      .map(({ startedAt, offsetMinutes, durationSecs }) => {
        const began = startedAt + offsetMinutes * 60 - other * daySeconds;
        return { began, ended: began + durationSecs };
      })
      .filter(({ began }) => began >= 5 * 3600 && began < 29 * 3600);
    if (own.length === 0) continue;
    spans.push({
      opens: Math.min(...own.map(({ began }) => began)),
      closes: Math.min(29 * 3600, Math.max(...own.map(({ ended }) => ended))),
    });
  }
  if (spans.length === 0) return [];
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
  return [[middle(spans.map(({ opens }) => opens)), middle(spans.map(({ closes }) => closes))]];
}

function countDays(
  name: string,
  zoneId: number,
  states: Uint8Array,
  { date, open, playing }: DerivedZone,
  { planned, historyUntil, snapshots }: OracleWorld,
  first: number,
  days: Map<string, OracleDay>,
  { outages, silences }: Pick<ReturnType<typeof deriveDevices>, "outages" | "silences">,
): void {
  const byNumber = new Map<number, OracleDay>();
  const dayOf = (index: number): OracleDay => {
    const number = date[index] ?? 0;
    const seen = byNumber.get(number);
    if (seen) return seen;
    const text = new Date(number * daySeconds * 1000).toISOString().slice(0, 10);
    const key = `${name} ${text}`;
    const known = days.get(key) ?? {
      up: 0,
      down: 0,
      unknown: 0,
      openUp: 0,
      openDown: 0,
      planned: 0,
      silent: 0,
      playing: 0,
      outages: 0,
    };
    days.set(key, known);
    byNumber.set(number, known);
    return known;
  };
  let downFrom = -1;
  let quietFrom = -1;
  for (let index = 0; index <= states.length; index += 1) {
    const state = states[index];
    const isOpen = open[index] === 1;
    if (state === down && downFrom < 0) downFrom = index;
    if (state !== down && downFrom >= 0) {
      if (index - downFrom >= 900) {
        const deviceId = Number(name.split(" ")[0]);
        const seenUp = ownSnapshots(snapshots, deviceId).find(
          (one) => one.at >= first + index && stateOf(one) === up,
        );
        outages.set(`${deviceId}@${first + downFrom}`, {
          ...{ zoneId, seconds: index - downFrom, seenUpAt: seenUp?.at ?? null },
        });
        dayOf(downFrom).outages += 1;
      }
      downFrom = -1;
    }
    const isQuiet = isOpen && playing[index] === 0 && first + index < historyUntil;
    if (quietFrom >= 0 && !isQuiet) {
      if (index - quietFrom > 600) addSilence(quietFrom, index);
      quietFrom = -1;
    }
    if (isQuiet && quietFrom < 0) quietFrom = index;
    if (state === up) {
      const day = dayOf(index);
      day.up += 1;
      if (isOpen) day.openUp += 1;
    } else if (state === down) {
      const day = dayOf(index);
      day.down += 1;
      if (isOpen) day.openDown += 1;
      if (playing[index] === 1) day.playing += 1;
      const at = first + index;
      if (planned.some(({ from, until }) => at >= from && at < until)) day.planned += 1;
    } else if (state === unknown) {
      dayOf(index).unknown += 1;
    }
  }

  /** Silence is the part of a quiet span in which it was up. */
  function addSilence(from: number, until: number): void {
    for (let t = from; t < until; t += 1) {
      if (states[t] !== up) continue;
      let end = t;
      while (end < until && states[end] === up) {
        dayOf(end).silent += 1;
        end += 1;
      }
      silences.set(`${name} ${first + t}`, end - t);
      t = end;
    }
  }
}
