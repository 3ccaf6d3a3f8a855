import type { Hono } from "hono";
import type { ComponentState } from "../../world/status/component-state.ts";
import { componentRecord } from "../answers/component-record.ts";
import { publicHeaders } from "../answers/listing-headers.ts";
import { findFilter, statusList } from "../answers/status-list.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Parts of the service: `components`. */
export function addStatusComponentEndpoints(app: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, world } = service;

  app.get("/api/v1/components", (c) => {
    const isTopLevel = findFilter(c, "parent_id_null", ["true"]) !== undefined;
    const parentId = parentOf(new URL(c.req.url).searchParams.get("filter[parent_id_eq]"));
    const components = world
      .components(clock.now)
      .filter((component) => !isTopLevel || component.parentId === undefined)
      .filter((component) => parentId === undefined || component.parentId === parentId);
    const list = statusList(c, "components", components, (component) => ({
      ...componentRecord(component),
      links: { children: childrenLink(component) },
    }));
    return c.json(list, 200, publicHeaders(service));
  });
}

function childrenLink({ componentId, childCount }: ComponentState): { href: string; count: number } {
  return { href: `/v1/components?filter[parent_id_eq]=${componentId}`, count: childCount };
}

function parentOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new RefusalError(400, "invalid_filter", `filter[parent_id_eq] must be an integer, not ${text}.`);
}
