import type { Playlist } from "../world/content/song.ts";
import { createProgramme, findOpeningStart, type Track } from "../world/devices/device-status.ts";
import type { Zone } from "../world/premises/zone.ts";
import { Random } from "../world/random.ts";
import type { WorldPlan } from "../world/world-plan.ts";

interface PlayerState {
  /** `paused` while the zone is closed, `stopped` by command. */
  status: "active" | "paused" | "stopped";
  /** 0–100. */
  volume: number;
  /** The track that plays or is halted; undefined if there is none. */
  current: Track | undefined;
  /** Remaining time of the current track. */
  remainingSecs: number;
  upcoming: Track[];
  /** Newest first. */
  recent: Track[];
}

/** Player state set by commands. It lasts until the zone next opens, then the programme resumes. */
interface Commanded {
  atMs: number;
  /** Songs played in a loop, starting at `fromMs`. */
  run: { fromMs: number; tracks: readonly Track[]; before: readonly Track[] } | undefined;
  isStopped: boolean;
}

/**
 * Players of all zones: the world's programme, as changed by commands. Instants are on the emulator's clock.
 */
export class Players {
  readonly #plan: WorldPlan;
  readonly #commanded = new Map<number, Commanded>();
  readonly #volumes = new Map<number, number>();

  constructor(plan: WorldPlan) {
    this.#plan = plan;
  }

  stateAt(zone: Zone, atMs: number): PlayerState {
    const commanded = this.#findCommanded(zone, atMs);
    const refMs = commanded?.isStopped ? commanded.atMs : atMs;
    const isOpen = findOpeningStart(this.#plan, zone, atMs) !== undefined;
    const isActive = commanded?.run !== undefined || isOpen;
    const volume = this.#volumes.get(zone.zoneId) ?? defaultVolume(this.#plan, zone);
    const status = commanded?.isStopped ? "stopped" : isActive ? "active" : "paused";
    return { status, volume, ...this.#tracksAt(zone, refMs, commanded?.run) };
  }

  setVolume({ zoneId }: Zone, volume: number): void {
    this.#volumes.set(zoneId, volume);
  }

  /** Starts playback with the next song. Has no effect on an active player. */
  start(zone: Zone, atMs: number): void {
    if (this.stateAt(zone, atMs).status !== "active") this.#runOn(zone, atMs);
  }

  /** Stops playback. Has no effect on an inactive player. */
  stop(zone: Zone, atMs: number): void {
    if (this.stateAt(zone, atMs).status !== "active") return;
    const run = this.#findCommanded(zone, atMs)?.run;
    this.#commanded.set(zone.zoneId, { atMs, run, isStopped: true });
  }

  /** Starts the next song immediately. Has no effect on an inactive player. */
  skip(zone: Zone, atMs: number): void {
    if (this.stateAt(zone, atMs).status === "active") this.#runOn(zone, atMs);
  }

  #runOn(zone: Zone, atMs: number): void {
    const { current, upcoming, recent } = this.stateAt(zone, atMs);
    const run = { fromMs: atMs, tracks: upcoming, before: current ? [current, ...recent] : recent };
    this.#commanded.set(zone.zoneId, { atMs, run, isStopped: false });
  }

  #findCommanded(zone: Zone, atMs: number): Commanded | undefined {
    const commanded = this.#commanded.get(zone.zoneId);
    const openedAtMs = findOpeningStart(this.#plan, zone, atMs);
    if (commanded && openedAtMs !== undefined && openedAtMs > commanded.atMs) {
      this.#commanded.delete(zone.zoneId);
      return undefined;
    }
    return commanded;
  }

  #tracksAt(zone: Zone, atMs: number, run: Commanded["run"]): Omit<PlayerState, "status" | "volume"> {
    if (!run || run.tracks.length === 0) {
      const { begun, upcoming } = createProgramme(this.#plan, zone, atMs);
      const [current, ...recent] = begun;
      const elapsedMs = current ? atMs - current.startsAtMs : 0;
      return { current, remainingSecs: remainingSecs(current, elapsedMs), upcoming, recent };
    }
    const { tracks, before } = run;
    const at = (index: number) => tracks[index % tracks.length];
    let elapsedMs = Math.max(0, atMs - run.fromMs);
    let index = 0;
    for (; elapsedMs >= lengthMs(at(index)); index += 1) elapsedMs -= lengthMs(at(index));
    const known = (track: Track | undefined) => track !== undefined;
    const played = Array.from({ length: Math.min(index, tracks.length) }, (_, back) => at(index - 1 - back));
    return {
      current: at(index),
      remainingSecs: remainingSecs(at(index), elapsedMs),
      upcoming: tracks.map((_, ahead) => at(index + 1 + ahead)).filter(known),
      recent: [...played.filter(known), ...before],
    };
  }
}

function lengthMs(track: Track | undefined): number {
  return (track?.song.durationSecs ?? 1) * 1000;
}

function remainingSecs(track: Track | undefined, elapsedMs: number): number {
  return track ? Math.max(0, Math.ceil((lengthMs(track) - elapsedMs) / 1000)) : 0;
}

function defaultVolume({ seed }: WorldPlan, { zoneId }: Zone): number {
  return new Random(seed, "volume", zoneId).between(35, 80);
}

/** A playlist that replaces a zone's schedule for some minutes. Instants are on the emulator's clock. */
interface PlaylistOverride {
  /** Never returned by the service; the control API lists it. */
  overrideId: number;
  zoneId: number;
  playlist: Playlist;
  startsAtMs: number;
  /** Exclusive. */
  endsAtMs: number;
}

/** All overrides that were not removed, in order of creation. */
export class PlaylistOverrides {
  #overrides: PlaylistOverride[] = [];
  #nextId = 9001;

  create(zoneId: number, playlist: Playlist, durationMinutes: number, atMs: number): void {
    const overrideId = this.#nextId;
    this.#nextId += 1;
    const endsAtMs = atMs + durationMinutes * 60_000;
    this.#overrides.push({ overrideId, zoneId, playlist, startsAtMs: atMs, endsAtMs });
  }

  activeAt(atMs: number): PlaylistOverride[] {
    return this.#overrides.filter(({ endsAtMs }) => atMs < endsAtMs);
  }

  /** Removes an active override. Returns false if the zone has none with this id. */
  remove(zoneId: number, overrideId: number, atMs: number): boolean {
    const found = this.activeAt(atMs).find(
      (override) => override.overrideId === overrideId && override.zoneId === zoneId,
    );
    this.#overrides = this.#overrides.filter((override) => override !== found);
    return found !== undefined;
  }

  removeAll(zoneId: number): void {
    this.#overrides = this.#overrides.filter((override) => override.zoneId !== zoneId);
  }
}
