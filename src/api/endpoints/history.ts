import { z } from "zod";
import type { Kind } from "../../util/kind.ts";
import { type HistoryRecord, historyRecords } from "../records/history-record.ts";
import { emptyPage, type Page, pageOf } from "../records/page.ts";
import type { Service } from "../service.ts";
import type { PageInput } from "./inputs.ts";

/** What played, zone by zone. */
export class History {
  readonly #service: Service;

  /** @internal */
  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * One page of a zone's history. `GET data/<kind>/history`. The service documents no order, and may give fewer
   * records than `limit` asks for.
   */
  page<OfKind extends Kind>(
    input: PageInput & { kind: OfKind; zoneId: number },
  ): Promise<Page<HistoryRecord<OfKind>>> {
    const record = historyRecords[input.kind] as unknown as z.ZodType<HistoryRecord<OfKind>>;
    return this.#ask(input, pageOf(record));
  }

  /**
   * The same page with its records as the service wrote them, for who judges each on its own.
   * @throws {UnexpectedResponseError} when all that name a zone name others: it is the page of another zone
   */
  rawPage(input: PageInput & { kind: Kind; zoneId: number }): Promise<Page<unknown>> {
    const page = pageOf(z.unknown());
    return this.#ask(
      input,
      page.refine(({ data }) => isOfZone(data, input.zoneId), {
        path: ["data"],
        message: "holds records of other zones alone",
      }),
    );
  }

  #ask<Item>(
    { kind, zoneId, limit, offset, ...options }: PageInput & { kind: Kind; zoneId: number },
    answer: z.ZodType<Page<Item>>,
  ): Promise<Page<Item>> {
    return this.#service.ask({
      method: "GET",
      path: `ext/data/${kind}/history`,
      query: { zone_id: zoneId, limit, offset },
      answer,
      noContent: emptyPage,
      ...options,
    });
  }
}

function isOfZone(records: readonly unknown[], zoneId: number): boolean {
  const named = records.map((record) => Number(Object(record).zone_id)).filter((id) => id > 0);
  return named.length === 0 || named.includes(zoneId);
}
