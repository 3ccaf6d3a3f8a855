import type { Hono } from "hono";
import { dayMs } from "../../world/calendar-day.ts";
import { publicHeaders } from "../answers/listing-headers.ts";
import type { EmulatedService } from "../emulated-service.ts";
import type { ServiceEnv } from "../service-env.ts";

const stateTexts = {
  operational: "All systems operational",
  degraded: "Some systems are degraded",
  "under-maintenance": "Maintenance is under way",
};

/** The overall state, derived from current notices: `status`. */
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
