import type { Context, Hono } from "hono";
import type { Playlist } from "../../world/content/song.ts";
import { LineWriter } from "../../world/history/line-writer.ts";
import type { Zone } from "../../world/premises/zone.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import {
  readCommandBody,
  readPathInteger,
  requireBodyInteger,
  requireQueryInteger,
  requireReadableZone,
} from "../requests/request-inputs.ts";
import { buildPageEnvelope, readPageInputs } from "../responses/page-envelope.ts";
import { nowPlayingRecord } from "../responses/records.ts";
import { listingHeaders, momentHeaders } from "../responses/send-body.ts";
import type { ServiceEnv } from "../service-env.ts";
import { buildPictureUrl } from "./devices.ts";

/** Playback in a zone: `music/…`. */
export function addMusicEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, players } = service;

  ext.get("/music/now_playing", (c) => {
    const zone = requireReadableZone(c, service, requireQueryInteger(c, "zone_id"));
    return c.json(nowPlayingRecord(service, zone), 200, momentHeaders);
  });

  for (const action of ["skip", "start", "stop"] as const) {
    ext.post(`/music/${action}`, async (c) => {
      players[action](await readBodyZone(c), clock.now.getTime());
      return c.json(true);
    });
  }

  ext.post("/music/volume", async (c) => {
    const body = await readCommandBody(c, ["zone_id", "volume"]);
    const volume = requireBodyInteger(body, "volume");
    if (volume < 0 || volume > 100) {
      throw new RefusalError(400, "invalid_parameter", `volume must be from 0 to 100, not ${volume}.`);
    }
    players.setVolume(requireReadableZone(c, service, requireBodyInteger(body, "zone_id")), volume);
    return c.json(true);
  });

  async function readBodyZone(c: Context<ServiceEnv>): Promise<Zone> {
    return requireReadableZone(
      c,
      service,
      requireBodyInteger(await readCommandBody(c, ["zone_id"]), "zone_id"),
    );
  }
}

/** Playlists of a zone and their temporary overrides: `zones/{zone_id}/playlists…`. */
export function addPlaylistEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, overrides, settings, world } = service;
  const readPathZone = (c: Context<ServiceEnv>) =>
    requireReadableZone(c, service, readPathInteger(c, "zone_id"));

  ext.get("/zones/:zone_id/playlists", (c) => {
    const zone = readPathZone(c);
    const playlists = world.buildPlaylistsPath(zone);
    const inputs = readPageInputs(c, settings.pageLimit);
    const data = playlists.slice(inputs.offset, inputs.offset + inputs.limit).map((playlist) => ({
      ...playlistRecord(service, zone, playlist),
      streaming_id: playlist.streamingId,
    }));
    return c.json({ ...buildPageEnvelope(playlists.length, inputs), data }, 200, listingHeaders(service));
  });

  ext.get("/zones/:zone_id/playlists/override", (c) => {
    const zone = readPathZone(c);
    const atMs = clock.now.getTime();
    const active = overrides.activeAt(atMs).filter(({ zoneId }) => zoneId === zone.zoneId);
    const inputs = readPageInputs(c, settings.pageLimit);
    const writer = new LineWriter(zone);
    const data = active
      .slice(inputs.offset, inputs.offset + inputs.limit)
      .map(({ playlist, startsAtMs, endsAtMs }) => ({
        playlist: playlistRecord(service, zone, playlist),
        start_time: writer.playStart(startsAtMs),
        end_time: writer.playStart(endsAtMs),
        minutes_remaining: Math.ceil((endsAtMs - atMs) / 60_000),
      }));
    return c.json({ ...buildPageEnvelope(active.length, inputs), data }, 200, momentHeaders);
  });

  ext.post("/zones/:zone_id/playlists/override", async (c) => {
    const zone = readPathZone(c);
    const body = await readCommandBody(c, ["playlist_id", "duration"]);
    const playlistId = requireBodyInteger(body, "playlist_id");
    const minutes = requireBodyInteger(body, "duration");
    if (minutes < 1) {
      throw new RefusalError(400, "invalid_parameter", `duration must be at least 1 minute, not ${minutes}.`);
    }
    const playlist = world.buildPlaylistsPath(zone).find((candidate) => candidate.playlistId === playlistId);
    if (!playlist) throw new RefusalError(404, "unknown_playlist", `The zone has no playlist ${playlistId}.`);
    overrides.create(zone.zoneId, playlist, minutes, clock.now.getTime());
    return c.json({});
  });

  ext.delete("/zones/:zone_id/playlists/override", (c) => {
    overrides.removeAll(readPathZone(c).zoneId);
    return c.json({});
  });

  ext.delete("/zones/:zone_id/playlists/override/:override_id", (c) => {
    const zone = readPathZone(c);
    const overrideId = readPathInteger(c, "override_id");
    if (overrides.remove(zone.zoneId, overrideId, clock.now.getTime())) return c.json({});
    throw new RefusalError(404, "unknown_override", `The zone has no override ${overrideId}.`);
  });
}

/** Omits `streaming_id`, which only a zone's list of playlists contains. */
function playlistRecord(service: EmulatedService, zone: Zone, playlist: Playlist): Record<string, unknown> {
  const writer = new LineWriter(zone);
  return {
    playlist_id: playlist.playlistId,
    name: playlist.name,
    description: playlist.description,
    songs: playlist.songCount,
    artists: playlist.artistCount,
    image: buildPictureUrl(service, `playlists/${playlist.playlistId}`),
    add_date: writer.playStart(playlist.addedAtMs),
    edit_date: writer.playStart(playlist.editedAtMs),
  };
}
