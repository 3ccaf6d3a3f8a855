import type { Hono } from "hono";
import { type NoticeType, noticeTypes } from "../../world/status/notice.ts";
import { type NoticeState, timelineStates } from "../../world/status/notice-state.ts";
import { componentRecord } from "../answers/component-record.ts";
import { publicHeaders } from "../answers/listing-headers.ts";
import { noticeRecord, updateRecord } from "../answers/notice-record.ts";
import { findFilter, statusList } from "../answers/status-list.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";

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
    if (!found) throw new RefusalError(404, "unknown_notice", `There is no notice ${id}.`);
    const components = world
      .components(clock.now)
      .filter(({ componentId }) => found.notice.componentIds.includes(componentId))
      .map(componentRecord);
    const notice = { ...record(found), components, updates: found.updates.map(updateRecord) };
    return c.json({ notice }, 200, publicHeaders(service));
  });
}
