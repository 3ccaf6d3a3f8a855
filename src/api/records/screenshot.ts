import { z } from "zod";
import { maybeText, text } from "./lenient.ts";

export const screenshot = z.looseObject({
  /** Address of the image. */
  url: text,
  /** `YYYY-MM-DD HH:MM:SS`, without a zone. */
  add_date: maybeText,
});

/** A picture of what a zone's device showed. */
export type Screenshot = z.output<typeof screenshot>;
