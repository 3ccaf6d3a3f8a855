import type { Hono } from "hono";
import { dayMs } from "../../world/calendar-day.ts";
import { type NoticeState, type NoticeType, noticeTypes, timelineStates } from "../../world/status/notice.ts";
import type { ComponentState } from "../../world/status/status-component.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import { findFilter, statusList } from "../responses/page-envelope.ts";
import { componentRecord, noticeRecord, updateRecord } from "../responses/records.ts";
import { publicHeaders } from "../responses/send-body.ts";
import type { ServiceEnv } from "../service-env.ts";

const stateTexts = {
  operational: "All systems operational",
  degraded: "Some systems are degraded",
  "under-maintenance": "Maintenance is under way",
};

/** Overall state, derived from current notices: `status`. */
export function addStatusPageEndpoint(app: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, world, origins } = service;

  app.get("/api/v1/status", (c) => {
    const notices = world.notices(clock.now);
    const effects = notices.map(({ effect }) => effect);
    const isMaintained = effects.includes("under-maintenance");
    const state = effects.includes("degraded")
      ? "degraded"
      : isMaintained
        ? "under-maintenance"
        : "operational";
    const createdAtMs = (world.plan.firstDay - 400) * dayMs;
    const updatedAtMs = Math.max(createdAtMs, ...notices.map((notice) => notice.updatedAtMs));
    const page = {
      name: "Venue Media Service",
      state,
      state_text: stateTexts[state],
      url: `${origins.main}/status`,
      links: {
        components: { href: "/v1/components", count: world.components(clock.now).length },
        notices: { href: "/v1/notices", count: notices.length },
      },
      created_at: new Date(createdAtMs).toISOString(),
      updated_at: new Date(updatedAtMs).toISOString(),
    };
    return c.json({ page }, 200, publicHeaders(service));
  });
}

/** Components of the service: `components`. */
export function addStatusComponentEndpoints(app: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, world } = service;

  app.get("/api/v1/components", (c) => {
    const isTopLevel = findFilter(c, "parent_id_null", ["true"]) !== undefined;
    const parentId = parseParentId(new URL(c.req.url).searchParams.get("filter[parent_id_eq]"));
    const components = world
      .components(clock.now)
      .filter((component) => !isTopLevel || component.parentId === undefined)
      .filter((component) => parentId === undefined || component.parentId === parentId);
    const list = statusList(c, "components", components, (component) => ({
      ...componentRecord(component),
      links: { children: buildChildrenLink(component) },
    }));
    return c.json(list, 200, publicHeaders(service));
  });
}

function buildChildrenLink({ componentId, childCount }: ComponentState): { href: string; count: number } {
  return { href: `/v1/components?filter[parent_id_eq]=${componentId}`, count: childCount };
}

function parseParentId(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new RefusalError(400, "invalid_filter", `filter[parent_id_eq] must be an integer, not ${text}.`);
}

/** Incidents, maintenance and announcements: `notices`. */
export function addStatusNoticeEndpoints(app: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, world, origins } = service;
  const record = (state: NoticeState) => noticeRecord(state, `${origins.main}/status`);

  app.get("/api/v1/notices", (c) => {
    const type: NoticeType | undefined = findFilter(c, "type_eq", noticeTypes);
    const timelineState = findFilter(c, "timeline_state_eq", timelineStates);
    const notices = world
      .notices(clock.now)
      .filter((state) => type === undefined || state.notice.type === type)
      .filter((state) => timelineState === undefined || state.timelineState === timelineState);
    const list = statusList(c, "notices", notices, (state) => ({
      ...record(state),
      latest_update: updateRecord(state.latest),
    }));
    return c.json(list, 200, publicHeaders(service));
  });

  app.get("/api/v1/notices/:id", (c) => {
    const id = c.req.param("id");
    const found = world.notices(clock.now).find(({ notice }) => String(notice.noticeId) === id);
    if (!found) throw new RefusalError(404, "unknown_notice", `Notice ${id} does not exist.`);
    const components = world
      .components(clock.now)
      .filter(({ componentId }) => found.notice.componentIds.includes(componentId))
      .map(componentRecord);
    const notice = { ...record(found), components, updates: found.updates.map(updateRecord) };
    return c.json({ notice }, 200, publicHeaders(service));
  });
}
