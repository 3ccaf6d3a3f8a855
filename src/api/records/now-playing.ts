import { z } from "zod";
import { decimalNumber, text, wholeNumber } from "./lenient.ts";

const trackFields = {
  song_id: wholeNumber,
  song: text.nullish(),
  artist_id: wholeNumber.nullish(),
  artist: text.nullish(),
  pick_id: text.nullish(),
  artwork_small: text.nullish(),
  artwork_large: text.nullish(),
  user: text.nullish(),
  user_image_small: text.nullish(),
  user_image_large: text.nullish(),
  likes: wholeNumber.nullish(),
  dislikes: wholeNumber.nullish(),
};

const track = z.looseObject(trackFields);

const playingTrack = z.looseObject({
  ...trackFields,
  /** The service documents no unit. */
  duration: decimalNumber.nullish(),
  /** The service documents no unit. */
  remaining: decimalNumber.nullish(),
});

export const nowPlaying = z.looseObject({
  /** E.g. `active`; the service documents no list. */
  status: text,
  /** From 0 to 100. */
  volume: wholeNumber.nullish(),
  venue: text.nullish(),
  street: text.nullish(),
  city: text.nullish(),
  state: text.nullish(),
  zip: text.nullish(),
  current_users: wholeNumber.nullish(),
  now_playing: playingTrack.nullish(),
  /** Upcoming. */
  queue: z.array(track).nullish(),
  /** What has played. */
  recent: z.array(track).nullish(),
});

/** The music of a zone: what plays, what comes, what was. */
export type NowPlaying = z.output<typeof nowPlaying>;

/** A song in a queue or a history. */
export type Track = z.output<typeof track>;
