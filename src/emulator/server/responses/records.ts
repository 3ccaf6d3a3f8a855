import type { Track } from "../../world/devices/device-status.ts";
import type { Zone } from "../../world/premises/zone.ts";
import { nameAt, Random } from "../../world/random.ts";
import type { NoticeState, NoticeUpdate } from "../../world/status/notice.ts";
import type { ComponentState } from "../../world/status/status-component.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { buildPictureUrl } from "../endpoints/devices.ts";

/** Builds a component's record as it is in notices of the status API. Listings add links to it. */
export function componentRecord(component: ComponentState): Record<string, unknown> {
  return {
    id: component.componentId,
    state: component.state,
    name: component.name,
    description: component.childCount > 0 ? `All of ${component.name.toLowerCase()}` : "",
    parent_id: component.parentId ?? null,
    created_at: new Date(component.createdAtMs).toISOString(),
    updated_at: new Date(component.updatedAtMs).toISOString(),
  };
}

/** Builds the fields that listings and a notice's details share. */
export function noticeRecord(
  { notice, timelineState, latest, ...state }: NoticeState,
  statusUrl: string,
): Record<string, unknown> {
  const { noticeId, type, subject, plannedSpan, tags } = notice;
  return {
    id: noticeId,
    type,
    timeline_state: timelineState,
    ...(latest.state && { state: latest.state }),
    subject,
    url: `${statusUrl}/notices/${noticeId}`,
    ...(type !== "general" && {
      began_at: formatInstant(state.beganAtMs),
      ended_at: formatInstant(state.endedAtMs),
    }),
    ...(plannedSpan && {
      begins_at: formatInstant(plannedSpan.beginsAtMs),
      ends_at: formatInstant(plannedSpan.endsAtMs),
    }),
    created_at: formatInstant(state.createdAtMs),
    updated_at: formatInstant(state.updatedAtMs),
    tag_list: tags,
    links: { self: `/v1/notices/${noticeId}` },
  };
}

export function updateRecord({ state, content, atMs }: NoticeUpdate): Record<string, unknown> {
  return {
    ...(state && { state }),
    content,
    created_at: formatInstant(atMs),
    updated_at: formatInstant(atMs),
  };
}

/** Formats an instant as ISO 8601 in UTC, with milliseconds. */
function formatInstant(instantMs: number | undefined): string | null {
  return instantMs === undefined ? null : new Date(instantMs).toISOString();
}

const shownTracks = 5;

/** Builds the record of a zone's music at the emulator's current instant. Durations are in seconds. */
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
    artwork_small: buildPictureUrl(service, `artwork/${song.itemId}-small`),
    artwork_large: buildPictureUrl(service, `artwork/${song.itemId}-large`),
    user: "Autoplay",
    user_image_small: buildPictureUrl(service, "users/autoplay-small"),
    user_image_large: buildPictureUrl(service, "users/autoplay-large"),
    likes: random.between(0, 40),
    dislikes: random.between(0, 8),
  };
}
