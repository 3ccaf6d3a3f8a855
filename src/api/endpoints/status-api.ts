import { z } from "zod";
import { UnexpectedResponseError } from "../errors.ts";
import { fitRecord } from "../records/parse-record.ts";
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
   * Told of records that are not what the service documents: they are left out.
   * @default the first one fails the page
   */
  onMisfit?: ListInput["onMisfit"];
  /** From 1. @default 1 */
  page?: number | undefined;
}

export interface ComponentsInput extends StatusListInput {
  /** Only those without a parent. */
  isTopLevel?: boolean | undefined;
  /** Only the children of this one. */
  parentId?: number | undefined;
}

export interface NoticesInput extends StatusListInput {
  type?: "general" | "planned" | "unplanned" | undefined;
  timelineState?: "future" | "present" | "past_recent" | "past_distant" | undefined;
}

/** How the service itself is: its overall state, its components, and notices of incidents and maintenance. */
export class StatusApi {
  readonly #service: Service;

  /**
   * @internal
   * @param service without access tokens
   */
  constructor(service: Service) {
    this.#service = service;
  }

  /** The overall state. `GET /api/v1/status`. */
  async page(options: ReadInput = {}): Promise<StatusPage> {
    const answer = await this.#service.ask({
      method: "GET",
      path: "api/v1/status",
      answer: z.looseObject({ page: statusPage }),
      ...options,
    });
    return answer.page;
  }

  /** At most 25 components. `GET /api/v1/components`. See `eachStatusRecord` for all of them. */
  componentsPage(input: ComponentsInput = {}): Promise<StatusList<Component>> {
    const { isTopLevel, parentId } = input;
    const filters = {
      "filter[parent_id_null]": isTopLevel ? "true" : undefined,
      "filter[parent_id_eq]": parentId,
    };
    return this.#list("components", component, filters, input);
  }

  /** At most 25 notices. `GET /api/v1/notices`. See `eachStatusRecord` for all of them. */
  noticesPage(input: NoticesInput = {}): Promise<StatusList<Notice>> {
    const filters = { "filter[type_eq]": input.type, "filter[timeline_state_eq]": input.timelineState };
    return this.#list("notices", notice, filters, input);
  }

  /**
   * One notice with its components and its whole progress. `GET /api/v1/notices/:id`.
   * @throws {NotFoundError} when there is no such notice
   */
  async notice({ id, ...options }: ReadInput & { id: number }): Promise<NoticeDetail> {
    const answer = await this.#service.ask({
      method: "GET",
      path: `api/v1/notices/${pathSegment(String(id))}`,
      answer: z.looseObject({ notice: noticeDetail }),
      ...options,
    });
    return answer.notice;
  }

  /** The documented path is asked, whatever path the link to a page had. */
  async #list<Item>(
    name: string,
    item: z.ZodType<Item>,
    filters: Record<string, string | number | undefined>,
    { page, isFresh, onMisfit, onProduced, signal }: StatusListInput,
  ): Promise<StatusList<Item>> {
    const path = `api/v1/${name}`;
    const target = { method: "GET", path, root: "status" } as const;
    const query = { ...filters, page };
    const list = await this.#service.ask({
      method: "GET",
      path,
      query,
      answer: statusListOf<unknown>(name, onMisfit ? z.unknown() : item),
      isFresh,
      onProduced,
      signal,
    });
    if (list.next !== undefined && list.next <= (page ?? 1)) {
      throw new UnexpectedResponseError(target, `meta.next_page leads back to page ${list.next}`, {
        recordPath: "meta.next_page",
      });
    }
    if (!onMisfit) return list as StatusList<Item>;
    const records = list.records.flatMap((record, index) => {
      const fitted = fitRecord(item, record, target, { at: [name, index], onMisfit });
      return fitted instanceof UnexpectedResponseError ? [] : [fitted];
    });
    return { ...list, records };
  }
}
