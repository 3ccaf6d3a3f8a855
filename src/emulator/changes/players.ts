import { listDayPlays } from "../world/plays/day-plays.ts";
import { findOpening, type Zone } from "../world/premises/zone.ts";
import { Random } from "../world/random.ts";
import type { WorldPlan } from "../world/world-plan.ts";

/** Player state set by a command. When the zone next opens, the programme resumes. */
interface PlayerState {
  atMs: number;
  isStopped: boolean;
  /** Time by which the player is ahead of the programme. */
  aheadMs: number;
}

/** Number of days before and after an instant to search for songs, because a zone can be closed for a day. */
const daysAround = 2;

/** Players of all zones: the world's programme, as changed by commands. Instants are on the emulator's clock. */
export class Players {
  readonly #plan: WorldPlan;
  readonly #commanded = new Map<number, PlayerState>();
  /** Volumes set by commands, 0–100, keyed by zone. */
  readonly volumes = new Map<number, number>();

  constructor(plan: WorldPlan) {
    this.#plan = plan;
  }

  /**
   * Returns the player's state, with the latest songs first in `recent`, and the remaining time of a current
   * song.
   */
  stateAt(zone: Zone, atMs: number) {
    const openedAtMs = this.#findOpeningStart(zone, atMs);
    const found = this.#commanded.get(zone.zoneId);
    const commanded = found && found.atMs >= (openedAtMs ?? 0) ? found : undefined;
    const positionMs = (commanded?.isStopped ? commanded.atMs : atMs) + (commanded?.aheadMs ?? 0);
    const tracks = this.#tracksAround(zone, positionMs);
    const next = tracks.findIndex(({ startedAtMs }) => startedAtMs > positionMs);
    const begun = tracks.slice(0, next < 0 ? tracks.length : next).reverse();
    const [current, ...recent] = begun;
    const endsAtMs = current ? current.startedAtMs + current.item.durationSecs * 1000 : positionMs;
    // The player pauses while the zone is closed.
    const programmed = commanded || openedAtMs !== undefined ? "active" : "paused";
    const { seed } = this.#plan;
    return {
      status: commanded?.isStopped ? "stopped" : programmed,
      volume: this.volumes.get(zone.zoneId) ?? new Random(seed, "volume", zone.zoneId).between(35, 80),
      positionMs,
      current,
      remainingSecs: Math.max(0, Math.ceil((endsAtMs - positionMs) / 1000)),
      upcoming: tracks.slice(begun.length),
      recent,
    };
  }

  /**
   * Starts, stops, or skips to the next song. An active player can only be stopped or skip; others can only be
   * started.
   */
  command(action: "start" | "stop" | "skip", zone: Zone, atMs: number): void {
    const { status, positionMs, upcoming } = this.stateAt(zone, atMs);
    if ((action === "start") === (status === "active")) return;
    const isStopped = action === "stop";
    const nextMs = isStopped ? positionMs : (upcoming[0]?.startedAtMs ?? atMs);
    this.#commanded.set(zone.zoneId, { atMs, isStopped, aheadMs: nextMs - atMs });
  }

  #tracksAround(zone: Zone, positionMs: number) {
    const today = zone.clock.dayAt(positionMs);
    const days = Array.from({ length: 2 * daysAround + 1 }, (_, index) => today - daysAround + index);
    return days.flatMap((day) => listDayPlays(this.#plan, "music", zone, day));
  }

  /** Returns the start of the current opening; undefined while closed, or outside the world's days. */
  #findOpeningStart(zone: Zone, atMs: number): number | undefined {
    const { firstDay, days } = this.#plan;
    const today = zone.clock.dayAt(atMs);
    return [today, today - 1]
      .filter((day) => day >= firstDay && day < firstDay + days)
      .map((day) => findOpening(zone, day))
      .find((opening) => opening && opening.opensAtMs <= atMs && atMs < opening.closesAtMs)?.opensAtMs;
  }
}
