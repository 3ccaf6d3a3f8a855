import { z } from "zod";
import type { Track } from "../../changes/players.ts";
import { type Playlist, selectZonePlaylists } from "../../world/content/song.ts";
import { formatLocal } from "../../world/history/lines.ts";
import type { Zone } from "../../world/premises/zone.ts";
import { nameAt, Random } from "../../world/random.ts";
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
    const atMs = clock.now.getTime();
    const { status, volume, current, remainingSecs, upcoming, recent } = players.stateAt(zone, atMs);
    const { name, street, city, state, zip } = zone.location;
    const users = new Random(world.plan.seed, "users", zoneId, Math.floor(atMs / 3_600_000));
    const record = (track: Track) => trackRecord(service, zone, track);
    return {
      venue: name,
      street,
      city,
      state,
      zip,
      current_users: users.between(0, 9),
      status,
      volume,
      now_playing: current && {
        ...record(current),
        duration: current.song.durationSecs,
        remaining: remainingSecs,
      },
      queue: upcoming.slice(0, shownTracks).map(record),
      recent: recent.slice(0, shownTracks).map(record),
    };
  };
  add("GET", "/music/now_playing", { zone_id: integerText }, nowPlaying, "no-store");

  for (const action of ["skip", "start", "stop"] as const) {
    add("POST", `/music/${action}`, { zone_id: integer }, ({ zone_id: zoneId }) => {
      players[action](world.getZone(zoneId), clock.now.getTime());
      return true;
    });
  }

  const volumeInputs = { zone_id: integer, volume: z.int().min(0).max(100) };
  add("POST", "/music/volume", volumeInputs, ({ zone_id: zoneId, volume }) => {
    players.volumes.set(zoneId, volume);
    return true;
  });
}

function trackRecord({ world, clock, origins }: Service, zone: Zone, track: Track): Record<string, unknown> {
  const { startsAtMs, song, artist } = track;
  const random = new Random(world.plan.seed, "likes", song.itemId);
  return {
    pick_id: `${zone.zoneId}-${startsAtMs / 1000}`,
    artist_id: artist.artistId,
    artist: artist.name,
    song_id: song.itemId,
    song: nameAt(song.naming, clock.now.getTime()),
    artwork_small: buildPictureUrl(origins, `artwork/${song.itemId}-small`),
    artwork_large: buildPictureUrl(origins, `artwork/${song.itemId}-large`),
    user: "Autoplay",
    user_image_small: buildPictureUrl(origins, "users/autoplay-small"),
    user_image_large: buildPictureUrl(origins, "users/autoplay-large"),
    likes: random.between(0, 40),
    dislikes: random.between(0, 8),
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
    const data = shown.map(({ playlist, startsAtMs, endsAtMs }) => ({
      playlist: playlistRecord(service, zone, playlist),
      start_time: formatLocal(zone, startsAtMs),
      end_time: formatLocal(zone, endsAtMs),
      minutes_remaining: Math.ceil((endsAtMs - clock.now.getTime()) / 60_000),
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
      const startsAtMs = clock.now.getTime();
      const endsAtMs = startsAtMs + duration * 60_000;
      service.overrides.push({ overrideId, zoneId, playlist, startsAtMs, endsAtMs });
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
  return overrides.filter(({ endsAtMs }) => clock.now.getTime() < endsAtMs);
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
