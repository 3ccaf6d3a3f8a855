import type { Playlist } from "../world/content/playlist.ts";

/** A playlist that plays in a zone for some minutes. Instants are the emulator's. */
export interface PlaylistOverride {
  /** No answer of the service names it; the control API does. */
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

  /** Those that have not ended. */
  activeAt(atMs: number): PlaylistOverride[] {
    return this.#overrides.filter(({ endsAtMs }) => atMs < endsAtMs);
  }

  /** Whether there was one to remove. */
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
