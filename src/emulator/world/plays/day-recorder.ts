import type { Asset } from "../content/asset.ts";
import type { Artist, Song } from "../content/song.ts";
import { findOutages, type Outage, type Zone } from "../premises/zone.ts";
import type { Random } from "../random.ts";
import type { DayPlay, Echo } from "./day-play.ts";

const shares = { zeroSecond: 0.0015, late: 0.005, repeat: 0.002, running: 0.0005, otherArtist: 0.05 };

/** Turns what a zone was to play in one opening into what the service will have recorded of it. */
export class DayRecorder {
  readonly plays: DayPlay[] = [];
  readonly #zone: Zone;
  readonly #random: Random;
  readonly #outages: readonly Outage[];

  constructor(seed: number, zone: Zone, random: Random, opensAtMs: number, closesAtMs: number) {
    this.#zone = zone;
    this.#random = random;
    this.#outages = findOutages(seed, zone.deviceId, opensAtMs, closesAtMs);
  }

  /** Instants in order, each later than the one before. Nothing is recorded that began while the device was down. */
  record(
    startedAtMs: number,
    plannedSecs: number,
    item: Song | Asset,
    artists: readonly Artist[] = [],
  ): void {
    const random = this.#random;
    const durationSecs = random.chance(shares.zeroSecond) ? 0 : plannedSecs;
    const isLate = random.chance(shares.late);
    const artist = artists.length > 1 ? random.pick(artists) : artists[0];
    const echo = this.#echoOf(durationSecs, artist, artists);
    const outage = this.#outages.find(
      (span) => startedAtMs >= span.startedAtMs && startedAtMs < span.endedAtMs,
    );
    let arrivesAtMs = isLate ? startedAtMs + (durationSecs + this.#delaySecs()) * 1000 : undefined;
    if (outage) {
      if (!this.#zone.playsWhileDown) return;
      arrivesAtMs = outage.endedAtMs + 600_000;
    }
    this.plays.push({ startedAtMs, durationSecs, item, artist, arrivesAtMs, echo });
  }

  /** Hours or days. */
  #delaySecs(): number {
    return this.#random.chance(0.5)
      ? this.#random.between(3600, 12 * 3600)
      : this.#random.between(86_400, 6 * 86_400);
  }

  #echoOf(durationSecs: number, artist: Artist | undefined, artists: readonly Artist[]): Echo | undefined {
    const draw = this.#random.fraction();
    if (draw < shares.repeat) return { form: "repeat" };
    if (draw < shares.repeat + shares.running) {
      return durationSecs > 1 ? { form: "running", durationSecs: Math.ceil(durationSecs / 3) } : undefined;
    }
    if (draw < shares.repeat + shares.running + shares.otherArtist) {
      const other = artists.find((candidate) => candidate !== artist);
      return other && { form: "artist", artist: other };
    }
    return undefined;
  }
}
