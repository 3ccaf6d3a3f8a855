import { z } from "zod";
import { text, wholeNumber } from "./lenient.ts";

const common = {
  zone_id: wholeNumber,
  zone_name: text.nullish(),
  location_id: wholeNumber.nullish(),
  location_name: text.nullish(),
  /** Seconds. */
  duration_secs: wholeNumber,
  /** ISO 8601 with its UTC offset. */
  play_start: text,
};

const musicRecord = z.looseObject({
  ...common,
  song_id: wholeNumber,
  song_name: text.nullish(),
  artist_id: wholeNumber.nullish(),
  artist_name: text.nullish(),
});

const assetRecord = z.looseObject({
  ...common,
  asset_id: wholeNumber,
  asset_name: text.nullish(),
});

export const historyRecords = { music: musicRecord, signage: assetRecord, messaging: assetRecord };

/** One play, as the history of a kind has it. */
export type HistoryRecord<Kind extends keyof typeof historyRecords> = z.output<(typeof historyRecords)[Kind]>;
