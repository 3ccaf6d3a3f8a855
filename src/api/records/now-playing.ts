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
