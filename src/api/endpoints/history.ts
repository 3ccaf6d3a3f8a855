import { z } from "zod";
import type { Kind } from "../../util/kind.ts";
import { type HistoryRecord, historyRecords } from "../records/history.ts";
import { type Page, pageOf } from "../records/page.ts";
import type { Service } from "../service.ts";
import { callEndpoint } from "./call-endpoint.ts";
import { endpoints } from "./endpoints.ts";
import type { PageInput } from "./inputs.ts";

/** The play history, zone by zone. */
export interface History {
  /** Fetches one page of at most `limit` records, in no documented order. */
  page<OfKind extends Kind>(
    input: PageInput & { kind: OfKind; zoneId: number },
  ): Promise<Page<HistoryRecord<OfKind>>>;
  /**
   * Fetches the same page without parsing its records, for callers that check each record themselves.
   * @throws {UnexpectedResponseError} if the page is wrong, because all records with a zone id belong to other
   * zones
   */
  rawPage(input: PageInput & { kind: Kind; zoneId: number }): Promise<Page<unknown>>;
}

export function createHistory(service: Service): History {
  const fetchPage = <Item>(
    input: PageInput & { kind: Kind; zoneId: number },
    schema: z.ZodType<Page<Item>>,
  ) => callEndpoint(service, { ...endpoints.history.page, schema }, input) as Promise<Page<Item>>;
  return {
    page<OfKind extends Kind>(input: PageInput & { kind: OfKind; zoneId: number }) {
      const record = historyRecords[input.kind] as unknown as z.ZodType<HistoryRecord<OfKind>>;
      return fetchPage(input, pageOf(record));
    },
    rawPage(input) {
      const page = pageOf(z.unknown()).refine(({ data }) => matchesZone(data, input.zoneId), {
        path: ["data"],
        message: "contains only records of other zones",
      });
      return fetchPage(input, page);
    },
  };
}

function matchesZone(records: readonly unknown[], zoneId: number): boolean {
  const named = records.map((record) => Number(Object(record).zone_id)).filter((id) => id > 0);
  return named.length === 0 || named.includes(zoneId);
}
