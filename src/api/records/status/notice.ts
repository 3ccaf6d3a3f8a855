import { z } from "zod";
import { text, wholeNumber } from "../lenient.ts";
import { component } from "./component.ts";

const noticeUpdate = z.looseObject({
  /** As the notice's; absent for `general`. */
  state: text.nullish(),
  content: text.nullish(),
  /** ISO 8601, UTC. */
  created_at: text.nullish(),
  /** ISO 8601, UTC. */
  updated_at: text.nullish(),
});

const noticeFields = {
  id: wholeNumber,
  /** `general`, `planned` or `unplanned`. */
  type: text.nullish(),
  /** `future`, `present`, `past_recent` or `past_distant`. */
  timeline_state: text.nullish(),
  /**
   * Absent for `general`. Unplanned: `investigating`, `identified`, `recovering`, `resolved`, `false_alarm`; planned:
   * `scheduled`, `underway`, `complete`, `cancelled`.
   */
  state: text.nullish(),
  subject: text.nullish(),
  url: text.nullish(),
  /** ISO 8601, UTC; not for `general`. */
  began_at: text.nullish(),
  /** ISO 8601, UTC; not for `general`; `null` while it lasts. */
  ended_at: text.nullish(),
  /** ISO 8601, UTC; `planned` only. */
  begins_at: text.nullish(),
  /** ISO 8601, UTC; `planned` only. */
  ends_at: text.nullish(),
  /** ISO 8601, UTC. */
  created_at: text.nullish(),
  /** ISO 8601, UTC. */
  updated_at: text.nullish(),
  tag_list: z.array(text).nullish(),
  links: z.looseObject({ self: text.nullish() }).nullish(),
};

export const notice = z.looseObject({ ...noticeFields, latest_update: noticeUpdate.nullish() });

/** An incident, a maintenance or an announcement, as listings have it. */
export type Notice = z.output<typeof notice>;

export const noticeDetail = z.looseObject({
  ...noticeFields,
  /** What it concerns; these carry no links. */
  components: z.array(component).nullish(),
  /** All progress so far. */
  updates: z.array(noticeUpdate).nullish(),
});

/** The same with its components and its whole progress. */
export type NoticeDetail = z.output<typeof noticeDetail>;
