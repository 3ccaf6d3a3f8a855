import { z } from "zod";
import { decimalNumber, text, wholeNumber } from "./lenient.ts";

export const playlist = z.looseObject({
  playlist_id: wholeNumber,
  name: text.nullish(),
  description: text.nullish(),
  /** Of an external streaming catalogue; absent in overrides. */
  streaming_id: text.nullish(),
  /** How many songs it has. */
  songs: wholeNumber.nullish(),
  /** How many artists. */
  artists: wholeNumber.nullish(),
  /** Address of its image. */
  image: text.nullish(),
  /** ISO 8601 with its UTC offset. */
  add_date: text.nullish(),
  /** ISO 8601 with its UTC offset. */
  edit_date: text.nullish(),
});

/** A list of songs that a zone may play. */
export type Playlist = z.output<typeof playlist>;

export const playlistOverride = z.looseObject({
  playlist,
  /** ISO 8601 with its UTC offset. */
  start_time: text.nullish(),
  /** ISO 8601 with its UTC offset. */
  end_time: text.nullish(),
  minutes_remaining: decimalNumber.nullish(),
});

/** A playlist that plays for some minutes instead of the schedule. The service documents no id of it. */
export type PlaylistOverride = z.output<typeof playlistOverride>;
