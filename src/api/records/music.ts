import { z } from "zod";
import {
  isEmptyValue,
  maybeList,
  maybeNumber,
  maybeText,
  maybeWholeNumber,
  text,
  wholeNumber,
} from "./lenient.ts";

const trackFields = {
  song_id: wholeNumber,
  song: maybeText,
  artist_id: maybeWholeNumber,
  artist: maybeText,
  pick_id: maybeText,
  artwork_small: maybeText,
  artwork_large: maybeText,
  user: maybeText,
  user_image_small: maybeText,
  user_image_large: maybeText,
  likes: maybeWholeNumber,
  dislikes: maybeWholeNumber,
};

const track = z.looseObject(trackFields);

const playingTrack = z.looseObject({
  ...trackFields,
  /** The service documents no unit. */
  duration: maybeNumber,
  /** The service documents no unit. */
  remaining: maybeNumber,
});

export const nowPlaying = z.looseObject({
  /** E.g. `active`; the service does not document the possible values. */
  status: text,
  /** From 0 to 100. */
  volume: maybeWholeNumber,
  venue: maybeText,
  street: maybeText,
  city: maybeText,
  state: maybeText,
  zip: maybeText,
  current_users: maybeWholeNumber,
  /** `null` or absent if nothing plays or the song is unknown. */
  now_playing: z
    .preprocess((track) => (track === "" || isEmptyValue(track) ? null : track), playingTrack.nullish())
    .nullish(),
  queue: maybeList(track),
  /** Songs played recently. */
  recent: maybeList(track),
});

/** The music of a zone: current, upcoming and recent songs. */
export type NowPlaying = z.output<typeof nowPlaying>;

/** A song in a queue or a history. */
export type Track = z.output<typeof track>;

export const playlist = z.looseObject({
  playlist_id: wholeNumber,
  name: maybeText,
  description: maybeText,
  /** Id in an external streaming catalogue; absent in overrides. */
  streaming_id: maybeText,
  /** Number of songs. */
  songs: maybeWholeNumber,
  /** Number of artists. */
  artists: maybeWholeNumber,
  /** URL of its image. */
  image: maybeText,
  /** ISO 8601 with its UTC offset. */
  add_date: maybeText,
  /** ISO 8601 with its UTC offset. */
  edit_date: maybeText,
});

/** A list of songs that a zone may play. */
export type Playlist = z.output<typeof playlist>;

export const playlistOverride = z.looseObject({
  playlist,
  /** ISO 8601 with its UTC offset. */
  start_time: maybeText,
  /** ISO 8601 with its UTC offset. */
  end_time: maybeText,
  minutes_remaining: maybeNumber,
});

/** A playlist that plays for some minutes instead of the schedule. It has no documented id. */
export type PlaylistOverride = z.output<typeof playlistOverride>;
