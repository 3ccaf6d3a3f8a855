import { z } from "zod";
import { maybeList, maybeRecord, maybeText, maybeWholeNumber, text, wholeNumber } from "./lenient.ts";

/** Link to related records, with their number. `href` may lack `/api`, or begin with `/v1/`. */
const countedLink = z.looseObject({ href: maybeText, count: maybeWholeNumber });

export const statusPage = z.looseObject({
  /** `operational`, `degraded` or `under-maintenance`. */
  state: text,
  name: maybeText,
  state_text: maybeText,
  url: maybeText,
  links: maybeRecord(
    z.looseObject({ components: maybeRecord(countedLink), notices: maybeRecord(countedLink) }),
  ),
  /** ISO 8601, UTC. */
  created_at: maybeText,
  /** ISO 8601, UTC. */
  updated_at: maybeText,
});

/** The state of the service as a whole. */
export type StatusPage = z.output<typeof statusPage>;

export const component = z.looseObject({
  id: wholeNumber,
  /** `operational`, `degraded` or `under-maintenance`. */
  state: maybeText,
  name: maybeText,
  description: maybeText,
  /** `null` at the top level. */
  parent_id: maybeWholeNumber,
  /** Only in listings. */
  links: maybeRecord(z.looseObject({ children: maybeRecord(countedLink) })),
  /** ISO 8601, UTC. */
  created_at: maybeText,
  /** ISO 8601, UTC. */
  updated_at: maybeText,
});

/** A part of the service whose state is published. */
export type Component = z.output<typeof component>;

const noticeUpdate = z.looseObject({
  /** Same values as the notice's `state`; absent for `general`. */
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
   * Absent for `general`.
   * Unplanned: `investigating`, `identified`, `recovering`, `resolved`, `false_alarm`.
   * Planned: `scheduled`, `underway`, `complete`, `cancelled`.
   */
  state: maybeText,
  subject: maybeText,
  url: maybeText,
  /** ISO 8601, UTC; not for `general`. */
  began_at: maybeText,
  /** ISO 8601, UTC; not for `general`; `null` while ongoing. */
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

/** An incident, maintenance or announcement, as listed. */
export type Notice = z.output<typeof notice>;

export const noticeDetail = z.looseObject({
  ...noticeFields,
  /** Affected components, without links. */
  components: maybeList(component),
  /** All updates so far. */
  updates: maybeList(noticeUpdate),
});

/** A notice with its components and all its updates. */
export type NoticeDetail = z.output<typeof noticeDetail>;

/** One page of records of the status API, at most 25. */
export interface StatusList<Item> {
  records: Item[];
  /** Number of records on all pages. */
  total_count: number;
  /** Number of the next page; `undefined` on the last one. */
  next: number | undefined;
}

/** Returns the schema of a page from the name and schema of its records. */
export function statusListOf<Item>(name: string, item: z.ZodType<Item>): z.ZodType<StatusList<Item>> {
  return z
    .looseObject({
      [name]: z.array(item),
      meta: z.looseObject({ total_count: wholeNumber, next_page: text.nullish() }),
    })
    .transform(({ [name]: records, meta }, context) => {
      const { total_count, next_page } = meta as { total_count: number; next_page?: string | null };
      const next = next_page ? parsePageNumber(next_page) : undefined;
      if (next_page && next === undefined) {
        context.addIssue({ code: "custom", path: ["meta", "next_page"], message: "contains no page number" });
      }
      return { records: records as Item[], total_count, next };
    });
}

/** Parses the page number from a link, whose path may lack `/api` or begin with `/v1/`. */
function parsePageNumber(link: string): number | undefined {
  const page = /^\d+$/.test(link) ? link : new URLSearchParams(link.replace(/^[^?]*\?/, "")).get("page");
  const number = /^\d+$/.test(page ?? "") ? Number(page) : undefined;
  return number !== undefined && number > 0 && Number.isSafeInteger(number) ? number : undefined;
}
