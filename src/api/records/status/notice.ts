import { z } from "zod";
import { maybeList, maybeRecord, maybeText, wholeNumber } from "../lenient.ts";
import { component } from "./component.ts";

const noticeUpdate = z.looseObject({
  /** As the notice's; absent for `general`. */
  state: maybeText,
  content: maybeText,
  /** ISO 8601, UTC. */
  created_at: maybeText,
  /** ISO 8601, UTC. */
  updated_at: maybeText,
});

const noticeFields = {
  id: wholeNumber,
  /** `general`, `planned` or `unplanned`. */
  type: maybeText,
  /** `future`, `present`, `past_recent` or `past_distant`. */
  timeline_state: maybeText,
  /**
   * Absent for `general`. Unplanned: `investigating`, `identified`, `recovering`, `resolved`, `false_alarm`; planned:
   * `scheduled`, `underway`, `complete`, `cancelled`.
   */
  state: maybeText,
  subject: maybeText,
  url: maybeText,
  /** ISO 8601, UTC; not for `general`. */
  began_at: maybeText,
  /** ISO 8601, UTC; not for `general`; `null` while it lasts. */
  ended_at: maybeText,
  /** ISO 8601, UTC; `planned` only. */
  begins_at: maybeText,
  /** ISO 8601, UTC; `planned` only. */
  ends_at: maybeText,
  /** ISO 8601, UTC. */
  created_at: maybeText,
  /** ISO 8601, UTC. */
  updated_at: maybeText,
  tag_list: maybeList(maybeText).catch(null),
  links: maybeRecord(z.looseObject({ self: maybeText })),
};

export const notice = z.looseObject({ ...noticeFields, latest_update: maybeRecord(noticeUpdate) });

/** An incident, a maintenance or an announcement, as listings have it. */
export type Notice = z.output<typeof notice>;

export const noticeDetail = z.looseObject({
  ...noticeFields,
  /** What it concerns; these carry no links. */
  components: maybeList(component),
  /** All progress so far. */
  updates: maybeList(noticeUpdate),
});

/** The same with its components and its whole progress. */
export type NoticeDetail = z.output<typeof noticeDetail>;
