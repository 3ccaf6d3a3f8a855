import { z } from "zod";
import { maybeText, maybeWholeNumber, text, wholeNumber } from "./lenient.ts";

const common = {
  zone_id: wholeNumber,
  zone_name: maybeText,
  location_id: maybeWholeNumber,
  location_name: maybeText,
  /** Seconds. */
  duration_secs: wholeNumber,
  /** ISO 8601 with its UTC offset. */
  play_start: text,
};

const musicRecord = z.looseObject({
  ...common,
  song_id: wholeNumber,
  song_name: maybeText,
  artist_id: maybeWholeNumber,
  artist_name: maybeText,
});

const assetRecord = z.looseObject({
  ...common,
  asset_id: wholeNumber,
  asset_name: maybeText,
});

export const historyRecords = { music: musicRecord, signage: assetRecord, messaging: assetRecord };

/** One play, as the history of a kind has it. */
export type HistoryRecord<Kind extends keyof typeof historyRecords> = z.output<(typeof historyRecords)[Kind]>;
