import { z } from "zod";
import { asset } from "./asset.ts";
import { text } from "./lenient.ts";

export const campaign = z.looseObject({
  /** Text in answers, a number in requests. */
  campaign_id: text,
  name: text.nullish(),
  /** E.g. `enabled`; the service documents no list. */
  status: text.nullish(),
  /** `YYYY-MM-DD` */
  add_date: text.nullish(),
  /** `YYYY-MM-DD` */
  start_date: text.nullish(),
  /** `YYYY-MM-DD` */
  end_date: text.nullish(),
  /** iCal RRULE; may be empty. */
  rrule: text.nullish(),
  assets: z.array(asset).nullish(),
});

/** A scheduled set of assets. */
export type Campaign = z.output<typeof campaign>;
