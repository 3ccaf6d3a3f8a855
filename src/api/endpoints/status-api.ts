import { z } from "zod";
import { UnexpectedResponseError } from "../errors.ts";
import { parseListedRecord } from "../records/parse-record.ts";
import {
  type Component,
  component,
  type Notice,
  type NoticeDetail,
  notice,
  noticeDetail,
  type StatusList,
  type StatusPage,
  statusListOf,
  statusPage,
} from "../records/status.ts";
import type { Service } from "../service.ts";
import { pathSegment } from "../transport/service-address.ts";
import type { ListInput, ReadInput } from "./inputs.ts";

export interface StatusListInput extends ReadInput {
  /**
   * Called for each record that differs from the service's documentation; the record is omitted.
   * @default the first such record fails the page
   */
  onInvalidRecord?: ListInput["onInvalidRecord"];
  /** Page number, starting with 1. @default 1 */
  page?: number | undefined;
}

export interface ComponentsInput extends StatusListInput {
  /** Limits the list to components without a parent. */
  isTopLevel?: boolean | undefined;
  /** Limits the list to children of this component. */
  parentId?: number | undefined;
}

export interface NoticesInput extends StatusListInput {
  type?: "general" | "planned" | "unplanned" | undefined;
  timelineState?: "future" | "present" | "past_recent" | "past_distant" | undefined;
}

/** The state of the service itself: overall, by component, and as notices of incidents and maintenance. */
export class StatusApi {
  readonly #service: Service;

  /**
   * @internal
   * @param service sends requests without access tokens
   */
  constructor(service: Service) {
    this.#service = service;
  }

  /** Fetches the overall state. `GET /api/v1/status`. */
  async page(options: ReadInput = {}): Promise<StatusPage> {
    const response = await this.#service.request({
      method: "GET",
      path: "api/v1/status",
      schema: z.looseObject({ page: statusPage }),
      ...options,
    });
    return response.page;
  }

  /** Fetches at most 25 components. `GET /api/v1/components`. Use `eachStatusRecord` for all of them. */
  componentsPage(input: ComponentsInput = {}): Promise<StatusList<Component>> {
    const { isTopLevel, parentId } = input;
    const filters = {
      "filter[parent_id_null]": isTopLevel ? "true" : undefined,
      "filter[parent_id_eq]": parentId,
    };
    return this.#list("components", component, filters, input);
  }

  /** Fetches at most 25 notices. `GET /api/v1/notices`. Use `eachStatusRecord` for all of them. */
  noticesPage(input: NoticesInput = {}): Promise<StatusList<Notice>> {
    const filters = { "filter[type_eq]": input.type, "filter[timeline_state_eq]": input.timelineState };
    return this.#list("notices", notice, filters, input);
  }

  /**
   * Fetches one notice with its components and all its updates. `GET /api/v1/notices/:id`.
   * @throws {NotFoundError} if the notice does not exist
   */
  async notice({ id, ...options }: ReadInput & { id: number }): Promise<NoticeDetail> {
    const response = await this.#service.request({
      method: "GET",
      path: `api/v1/notices/${pathSegment(String(id))}`,
      schema: z.looseObject({ notice: noticeDetail }),
      ...options,
    });
    return response.notice;
  }

  /** Fetches a page from the documented path, and ignores the path in a next link. */
  async #list<Item>(
    name: string,
    item: z.ZodType<Item>,
    filters: Record<string, string | number | undefined>,
    { page, isFresh, onInvalidRecord, onProduced, signal }: StatusListInput,
  ): Promise<StatusList<Item>> {
    const path = `api/v1/${name}`;
    const target = { method: "GET", path, root: "status" } as const;
    const query = { ...filters, page };
    const list = await this.#service.request({
      method: "GET",
      path,
      query,
      schema: statusListOf<unknown>(name, onInvalidRecord ? z.unknown() : item),
      isFresh,
      onProduced,
      signal,
    });
    if (list.next !== undefined && list.next <= (page ?? 1)) {
      throw new UnexpectedResponseError(target, `meta.next_page points back to page ${list.next}`, {
        recordPath: "meta.next_page",
      });
    }
    if (!onInvalidRecord) return list as StatusList<Item>;
    const records = list.records.flatMap((record, index) => {
      const parsed = parseListedRecord(item, record, target, { at: [name, index], onInvalidRecord });
      return parsed instanceof UnexpectedResponseError ? [] : [parsed];
    });
    return { ...list, records };
  }
}
