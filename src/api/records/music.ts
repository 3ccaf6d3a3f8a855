import { z } from "zod";
import {
  maybeList,
  maybeNumber,
  maybeText,
  maybeWholeNumber,
  saysNothing,
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
  /** E.g. `active`; the service documents no list. */
  status: text,
  /** From 0 to 100. */
  volume: maybeWholeNumber,
  venue: maybeText,
  street: maybeText,
  city: maybeText,
  state: maybeText,
  zip: maybeText,
  current_users: maybeWholeNumber,
  /** Nothing plays, or what plays is not told: `null`, or absent. */
  now_playing: z
    .preprocess((track) => (track === "" || saysNothing(track) ? null : track), playingTrack.nullish())
    .nullish(),
  /** Upcoming. */
  queue: maybeList(track),
  /** What has played. */
  recent: maybeList(track),
});

/** The music of a zone: what plays, what comes, what was. */
export type NowPlaying = z.output<typeof nowPlaying>;

/** A song in a queue or a history. */
export type Track = z.output<typeof track>;

export const playlist = z.looseObject({
  playlist_id: wholeNumber,
  name: maybeText,
  description: maybeText,
  /** Of an external streaming catalogue; absent in overrides. */
  streaming_id: maybeText,
  /** How many songs it has. */
  songs: maybeWholeNumber,
  /** How many artists. */
  artists: maybeWholeNumber,
  /** Address of its image. */
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

/** A playlist that plays for some minutes instead of the schedule. The service documents no id of it. */
export type PlaylistOverride = z.output<typeof playlistOverride>;
