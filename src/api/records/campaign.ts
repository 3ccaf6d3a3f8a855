import { z } from "zod";
import { asset } from "./asset.ts";
import { idText, maybeList, maybeText } from "./lenient.ts";

export const campaign = z.looseObject({
  /** Text in answers, a number in requests. */
  campaign_id: idText,
  name: maybeText,
  /** E.g. `enabled`; the service documents no list. */
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
