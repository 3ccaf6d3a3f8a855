import { z } from "zod";
import { maybeNumber, maybeText, maybeWholeNumber, wholeNumber } from "./lenient.ts";

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
