import { z } from "zod";
import { type Playlist, selectZonePlaylists } from "../../world/content/song.ts";
import { formatLocal } from "../../world/history/lines.ts";
import type { DayPlay } from "../../world/plays/day-plays.ts";
import type { Zone } from "../../world/premises/zone.ts";
import { nameAt } from "../../world/random.ts";
import { RefusalError } from "../refusal-error.ts";
import { type AddRoute, buildPageEnvelope, integer, integerText, pageInputs } from "../routes.ts";
import type { Service } from "../service.ts";
import { buildPictureUrl } from "./devices.ts";

const shownTracks = 5;

/** Playback in a zone: `music/…`. */
export function addMusicRoutes(add: AddRoute, service: Service): void {
  const { clock, players, world } = service;

  const nowPlaying = ({ zone_id: zoneId }: { zone_id: number }) => {
    const zone = world.getZone(zoneId);
    const state = players.stateAt(zone, clock.now.getTime());
    const { status, volume, current, remainingSecs: remaining, upcoming, recent } = state;
    const { name, street, city, state: region, zip } = zone.location;
    const record = (play: DayPlay) => trackRecord(service, zone, play);
    return {
      ...{ venue: name, street, city, state: region, zip, current_users: 3, status, volume },
      now_playing: current && { ...record(current), duration: current.item.durationSecs, remaining },
      queue: upcoming.slice(0, shownTracks).map(record),
      recent: recent.slice(0, shownTracks).map(record),
    };
  };
  add("GET", "/music/now_playing", { zone_id: integerText }, nowPlaying, "no-store");

  for (const action of ["skip", "start", "stop"] as const) {
    add("POST", `/music/${action}`, { zone_id: integer }, ({ zone_id: zoneId }) => {
      players.command(action, world.getZone(zoneId), clock.now.getTime());
      return true;
    });
  }

  const volumeInputs = { zone_id: integer, volume: z.int().min(0).max(100) };
  add("POST", "/music/volume", volumeInputs, ({ zone_id: zoneId, volume }) => {
    players.volumes.set(zoneId, volume);
    return true;
  });
}

function trackRecord(
  { clock, origins }: Service,
  zone: Zone,
  { startedAtMs, item, artist }: DayPlay,
): object {
  return {
    pick_id: `${zone.zoneId}-${startedAtMs / 1000}`,
    artist_id: artist?.artistId,
    artist: artist?.name,
    song_id: item.itemId,
    song: nameAt(item.naming, clock.now.getTime()),
    artwork_small: buildPictureUrl(origins, `artwork/${item.itemId}-small`),
    artwork_large: buildPictureUrl(origins, `artwork/${item.itemId}-large`),
    user: "Autoplay",
    user_image_small: buildPictureUrl(origins, "users/autoplay-small"),
    user_image_large: buildPictureUrl(origins, "users/autoplay-large"),
    likes: item.itemId % 40,
    dislikes: item.itemId % 8,
  };
}

const path = "/zones/:zone_id/playlists";
const firstOverrideId = 9001;

/** Playlists of a zone and their temporary overrides: `zones/{zone_id}/playlists…`. */
export function addPlaylistRoutes(add: AddRoute, service: Service): void {
  const { clock, settings, world } = service;
  const playlistsOf = (zone: Zone) => selectZonePlaylists(world.plan.seed, world.plan.playlists, zone);
  const pageOf = <Item>(items: readonly Item[], inputs: { limit: number; offset: number }) => {
    const limit = Math.min(inputs.limit, settings.pageLimit);
    const envelope = buildPageEnvelope(items.length, limit, inputs.offset);
    return { envelope, shown: items.slice(inputs.offset, inputs.offset + limit) };
  };
  let created = 0;

  add("GET", path, { zone_id: integerText, ...pageInputs }, ({ zone_id: zoneId, ...inputs }) => {
    const zone = world.getZone(zoneId);
    const { envelope, shown } = pageOf(playlistsOf(zone), inputs);
    const data = shown.map((playlist) => ({
      ...playlistRecord(service, zone, playlist),
      streaming_id: playlist.streamingId,
    }));
    return { ...envelope, data };
  });

  const listOverrides = ({
    zone_id: zoneId,
    ...inputs
  }: {
    zone_id: number;
    limit: number;
    offset: number;
  }) => {
    const zone = world.getZone(zoneId);
    const active = activeOverrides(service).filter((override) => override.zoneId === zoneId);
    const { envelope, shown } = pageOf(active, inputs);
    const data = shown.map(({ playlist, fromMs, untilMs }) => ({
      playlist: playlistRecord(service, zone, playlist),
      start_time: formatLocal(zone, fromMs),
      end_time: formatLocal(zone, untilMs),
      minutes_remaining: Math.ceil((untilMs - clock.now.getTime()) / 60_000),
    }));
    return { ...envelope, data };
  };
  add("GET", `${path}/override`, { zone_id: integerText, ...pageInputs }, listOverrides, "no-store");

  const overrideInputs = { zone_id: integerText, playlist_id: integer, duration: z.int().min(1) };
  add(
    "POST",
    `${path}/override`,
    overrideInputs,
    ({ zone_id: zoneId, playlist_id: playlistId, duration }) => {
      const playlist = playlistsOf(world.getZone(zoneId)).find((one) => one.playlistId === playlistId);
      if (!playlist)
        throw new RefusalError(404, "unknown_playlist", `The zone has no playlist ${playlistId}.`);
      const overrideId = firstOverrideId + created;
      created += 1;
      const fromMs = clock.now.getTime();
      const untilMs = fromMs + duration * 60_000;
      service.overrides.push({ overrideId, zoneId, playlist, fromMs, untilMs });
      return {};
    },
  );

  add("DELETE", `${path}/override`, { zone_id: integerText }, ({ zone_id: zoneId }) => {
    service.overrides = service.overrides.filter((override) => override.zoneId !== zoneId);
    return {};
  });

  const removed = { zone_id: integerText, override_id: integerText };
  add("DELETE", `${path}/override/:override_id`, removed, ({ zone_id: zoneId, override_id: overrideId }) => {
    const found = activeOverrides(service).find(
      (override) => override.overrideId === overrideId && override.zoneId === zoneId,
    );
    if (!found) throw new RefusalError(404, "unknown_override", `The zone has no override ${overrideId}.`);
    service.overrides = service.overrides.filter((override) => override !== found);
    return {};
  });
}

export function activeOverrides({ overrides, clock }: Service): Service["overrides"] {
  return overrides.filter(({ untilMs }) => clock.now.getTime() < untilMs);
}

/** Omits `streaming_id`, which only a zone's list of playlists contains. */
function playlistRecord({ origins }: Service, zone: Zone, playlist: Playlist): Record<string, unknown> {
  return {
    playlist_id: playlist.playlistId,
    name: playlist.name,
    description: playlist.description,
    songs: playlist.songCount,
    artists: playlist.artistCount,
    image: buildPictureUrl(origins, `playlists/${playlist.playlistId}`),
    add_date: formatLocal(zone, playlist.addedAtMs),
    edit_date: formatLocal(zone, playlist.editedAtMs),
  };
}
