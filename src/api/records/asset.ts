import { z } from "zod";
import { decimalNumber, text, wholeNumber } from "./lenient.ts";

export const asset = z.looseObject({
  asset_id: wholeNumber,
  name: text.nullish(),
  preview_png: text.nullish(),
  preview_gif: text.nullish(),
  /** Address of the file. */
  url: text.nullish(),
  /** The service documents no unit. */
  duration: decimalNumber.nullish(),
  /** `YYYY-MM-DD` */
  add_date: text.nullish(),
  /** `YYYY-MM-DD` */
  start_date: text.nullish(),
  /** `YYYY-MM-DD` */
  end_date: text.nullish(),
});

/** An audio message, or an image or video of a screen. */
export type Asset = z.output<typeof asset>;
