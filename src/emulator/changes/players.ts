import type { Artist, Playlist, Song } from "../world/content/song.ts";
import { listDayPlays } from "../world/plays/day-plays.ts";
import { findOpening, type Zone } from "../world/premises/zone.ts";
import { Random } from "../world/random.ts";
import type { WorldPlan } from "../world/world-plan.ts";

/** A song in a zone's programme. */
export interface Track {
  /** Start of the song's turn; epoch ms. */
  startsAtMs: number;
  song: Song;
  artist: Artist;
}

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
  isStopped: boolean;
  /** Time by which the player is ahead of the programme. */
  aheadMs: number;
}

/** Number of days to search before and after, because a zone can be closed for a day. */
const daysAround = 2;

/** Players of all zones: the world's programme, as changed by commands. Instants are on the emulator's clock. */
export class Players {
  readonly #plan: WorldPlan;
  readonly #commanded = new Map<number, Commanded>();
  readonly volumes = new Map<number, number>();

  constructor(plan: WorldPlan) {
    this.#plan = plan;
  }

  stateAt(zone: Zone, atMs: number): PlayerState {
    const openedAtMs = this.#findOpeningStart(zone, atMs);
    const found = this.#commanded.get(zone.zoneId);
    const commanded = found && found.atMs >= (openedAtMs ?? 0) ? found : undefined;
    const positionMs = (commanded?.isStopped ? commanded.atMs : atMs) + (commanded?.aheadMs ?? 0);
    const tracks = this.#tracksAround(zone, positionMs);
    const next = tracks.findIndex(({ startsAtMs }) => startsAtMs > positionMs);
    const begun = next < 0 ? tracks.length : next;
    const current = tracks[begun - 1];
    const endsAtMs = current ? current.startsAtMs + current.song.durationSecs * 1000 : positionMs;
    const isActive = commanded !== undefined || openedAtMs !== undefined;
    return {
      status: commanded?.isStopped ? "stopped" : isActive ? "active" : "paused",
      volume:
        this.volumes.get(zone.zoneId) ?? new Random(this.#plan.seed, "volume", zone.zoneId).between(35, 80),
      current,
      remainingSecs: Math.max(0, Math.ceil((endsAtMs - positionMs) / 1000)),
      upcoming: tracks.slice(begun),
      recent: tracks.slice(0, Math.max(0, begun - 1)).reverse(),
    };
  }

  /** Starts playback with the next song. Has no effect on an active player. */
  start(zone: Zone, atMs: number): void {
    const { status, upcoming } = this.stateAt(zone, atMs);
    if (status !== "active") this.#playNext(zone, atMs, upcoming);
  }

  /** Stops playback. Has no effect on an inactive player. */
  stop(zone: Zone, atMs: number): void {
    if (this.stateAt(zone, atMs).status !== "active") return;
    const aheadMs = this.#commanded.get(zone.zoneId)?.aheadMs ?? 0;
    this.#commanded.set(zone.zoneId, { atMs, isStopped: true, aheadMs });
  }

  /** Starts the next song immediately. Has no effect on an inactive player. */
  skip(zone: Zone, atMs: number): void {
    const { status, upcoming } = this.stateAt(zone, atMs);
    if (status === "active") this.#playNext(zone, atMs, upcoming);
  }

  #playNext({ zoneId }: Zone, atMs: number, [next]: readonly Track[]): void {
    this.#commanded.set(zoneId, { atMs, isStopped: false, aheadMs: (next?.startsAtMs ?? atMs) - atMs });
  }

  #tracksAround(zone: Zone, positionMs: number): Track[] {
    const today = zone.clock.dayAt(positionMs);
    const days = Array.from({ length: 2 * daysAround + 1 }, (_, index) => today - daysAround + index);
    return days
      .flatMap((day) => listDayPlays(this.#plan, "music", zone, day))
      .flatMap(({ startedAtMs, item, artist }) =>
        artist && "artists" in item ? [{ startsAtMs: startedAtMs, song: item, artist }] : [],
      );
  }

  /** Returns when the current opening began; undefined while closed, or outside the world's days. */
  #findOpeningStart(zone: Zone, atMs: number): number | undefined {
    const { firstDay, days } = this.#plan;
    const today = zone.clock.dayAt(atMs);
    const openings = [today, today - 1]
      .filter((day) => day >= firstDay && day < firstDay + days)
      .map((day) => findOpening(zone, day));
    return openings.find((opening) => opening && opening.opensAtMs <= atMs && atMs < opening.closesAtMs)
      ?.opensAtMs;
  }
}

/** A playlist that replaces a zone's schedule for some minutes. Instants are on the emulator's clock. */
export interface PlaylistOverride {
  /** Never returned by the service; tests read it from the emulator. */
  overrideId: number;
  zoneId: number;
  playlist: Playlist;
  startsAtMs: number;
  /** Exclusive. */
  endsAtMs: number;
}
