import {
  type NowPlaying,
  nowPlaying,
  type Playlist,
  type PlaylistOverride,
  playlist,
  playlistOverride,
} from "../records/music.ts";
import { commandResponse, emptyPage, type Page, pageOf } from "../records/page.ts";
import type { Service } from "../service.ts";
import { pathSegment } from "../transport/service-address.ts";
import type { PageInput, ReadInput, ZoneInput } from "./inputs.ts";

/**
 * Music playback in a zone. A command throws `OutcomeUnknownError` if its response was lost. It is not
 * retried, because a second `skip` would skip another song.
 */
export class Music {
  readonly #service: Service;

  /** @internal */
  constructor(service: Service) {
    this.#service = service;
  }

  /** Fetches the current, upcoming and recent songs. `GET music/now_playing`. */
  nowPlaying({ zoneId, ...options }: ZoneInput & ReadInput): Promise<NowPlaying> {
    return this.#service.request({
      method: "GET",
      path: "ext/music/now_playing",
      query: { zone_id: zoneId },
      schema: nowPlaying,
      ...options,
    });
  }

  /** Ends the current song; the next one starts at once. `POST music/skip`. */
  skip(input: ZoneInput): Promise<void> {
    return this.#command("skip", input);
  }

  /** `POST music/start`. */
  start(input: ZoneInput): Promise<void> {
    return this.#command("start", input);
  }

  /** `POST music/stop`. */
  stop(input: ZoneInput): Promise<void> {
    return this.#command("stop", input);
  }

  /** `POST music/volume`. @param input `volume` is a whole number from 0 to 100 */
  setVolume({ volume, ...input }: ZoneInput & { volume: number }): Promise<void> {
    return this.#command("volume", input, { volume });
  }

  #command(action: string, { zoneId, signal }: ZoneInput, more: object = {}): Promise<void> {
    return this.#service.request({
      method: "POST",
      path: `ext/music/${action}`,
      body: { zone_id: zoneId, ...more },
      ...commandResponse,
      signal,
    });
  }
}

/**
 * Playlists of a zone, and overrides. An override plays a playlist for some minutes instead of the schedule.
 */
export class Playlists {
  readonly #service: Service;

  /** @internal */
  constructor(service: Service) {
    this.#service = service;
  }

  /** Fetches one page of playlists, in no documented order. `GET zones/{zone_id}/playlists`. */
  page({ zoneId, limit, offset, ...options }: ZoneInput & PageInput): Promise<Page<Playlist>> {
    return this.#service.request({
      method: "GET",
      path: buildPlaylistsPath(zoneId),
      query: { limit, offset },
      schema: pageOf(playlist),
      noContent: emptyPage,
      ...options,
    });
  }

  /** Fetches one page of overrides, which have no id. `GET zones/{zone_id}/playlists/override`. */
  overridesPage({
    zoneId,
    limit,
    offset,
    ...options
  }: ZoneInput & PageInput): Promise<Page<PlaylistOverride>> {
    return this.#service.request({
      method: "GET",
      path: `${buildPlaylistsPath(zoneId)}/override`,
      query: { limit, offset },
      schema: pageOf(playlistOverride),
      noContent: emptyPage,
      ...options,
    });
  }

  /**
   * Plays a playlist for `durationMinutes`. `POST zones/{zone_id}/playlists/override`.
   * @throws {OutcomeUnknownError} if the response was lost
   */
  override({
    zoneId,
    playlistId,
    durationMinutes,
    signal,
  }: ZoneInput & { playlistId: number; durationMinutes: number }): Promise<void> {
    return this.#service.request({
      method: "POST",
      path: `${buildPlaylistsPath(zoneId)}/override`,
      body: { playlist_id: playlistId, duration: durationMinutes },
      ...commandResponse,
      signal,
    });
  }

  /**
   * Removes all overrides, so the zone returns to its schedule. `DELETE zones/{zone_id}/playlists/override`.
   * @throws {OutcomeUnknownError} if the response was lost
   */
  clearOverrides({ zoneId, signal }: ZoneInput): Promise<void> {
    return this.#service.request({
      method: "DELETE",
      path: `${buildPlaylistsPath(zoneId)}/override`,
      ...commandResponse,
      signal,
    });
  }

  /**
   * Removes one override. `DELETE zones/{zone_id}/playlists/override/{override_id}`. The service never
   * returns an override's id, so it must come from elsewhere.
   * @throws {NotFoundError} if the override does not exist
   * @throws {OutcomeUnknownError} if the response was lost
   */
  removeOverride({ zoneId, overrideId, signal }: ZoneInput & { overrideId: number }): Promise<void> {
    return this.#service.request({
      method: "DELETE",
      path: `${buildPlaylistsPath(zoneId)}/override/${pathSegment(String(overrideId))}`,
      ...commandResponse,
      signal,
    });
  }
}

function buildPlaylistsPath(zoneId: number): string {
  return `ext/zones/${pathSegment(String(zoneId))}/playlists`;
}
