import type { Track } from "../../world/devices/programme.ts";
import { nameAt } from "../../world/naming.ts";
import type { Zone } from "../../world/premises/zone.ts";
import { Random } from "../../world/random.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { pictureUrl } from "./picture.ts";

const shownTracks = 5;

/** What the service says of a zone's music, at the emulator's clock. Durations are seconds. */
export function nowPlayingRecord(service: EmulatedService, zone: Zone): Record<string, unknown> {
  const { players, clock, world } = service;
  const atMs = clock.now.getTime();
  const { status, volume, current, remainingSecs, upcoming, recent } = players.stateAt(zone, atMs);
  const { name, street, city, state, zip } = zone.location;
  const record = (track: Track) => trackRecord(service, zone, track);
  return {
    venue: name,
    street,
    city,
    state,
    zip,
    current_users: new Random(world.plan.seed, "users", zone.zoneId, Math.floor(atMs / 3_600_000)).between(
      0,
      9,
    ),
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
}

function trackRecord(
  service: EmulatedService,
  zone: Zone,
  { startsAtMs, song, artist }: Track,
): Record<string, unknown> {
  const random = new Random(service.world.plan.seed, "likes", song.itemId);
  return {
    pick_id: `${zone.zoneId}-${startsAtMs / 1000}`,
    artist_id: artist.artistId,
    artist: artist.name,
    song_id: song.itemId,
    song: nameAt(song.naming, service.clock.now.getTime()),
    artwork_small: pictureUrl(service, `artwork/${song.itemId}-small`),
    artwork_large: pictureUrl(service, `artwork/${song.itemId}-large`),
    user: "Autoplay",
    user_image_small: pictureUrl(service, "users/autoplay-small"),
    user_image_large: pictureUrl(service, "users/autoplay-large"),
    likes: random.between(0, 40),
    dislikes: random.between(0, 8),
  };
}
