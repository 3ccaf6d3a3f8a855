import { z } from "zod";
import { idText, maybeList, maybeNumber, maybeText, wholeNumber } from "./lenient.ts";

export const asset = z.looseObject({
  asset_id: wholeNumber,
  name: maybeText,
  preview_png: maybeText,
  preview_gif: maybeText,
  /** URL of the file. */
  url: maybeText,
  /** The service documents no unit. */
  duration: maybeNumber,
  /** `YYYY-MM-DD` */
  add_date: maybeText,
  /** `YYYY-MM-DD` */
  start_date: maybeText,
  /** `YYYY-MM-DD` */
  end_date: maybeText,
});

/** An audio message, or a signage image or video. */
export type Asset = z.output<typeof asset>;

export const campaign = z.looseObject({
  /** The service uses text in responses and a number in requests. */
  campaign_id: idText,
  name: maybeText,
  /** E.g. `enabled`; the service does not document the possible values. */
  status: maybeText,
  /** `YYYY-MM-DD` */
  add_date: maybeText,
  /** `YYYY-MM-DD` */
  start_date: maybeText,
  /** `YYYY-MM-DD` */
  end_date: maybeText,
  /** iCal RRULE; may be empty. */
  rrule: maybeText,
  assets: maybeList(asset),
});

/** A scheduled set of assets. */
export type Campaign = z.output<typeof campaign>;
