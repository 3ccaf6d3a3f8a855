import { Hono } from "hono";
import { dayMs } from "../world/calendar-day.ts";
import { answerErrors } from "./error-answers.ts";
import { rateLimit } from "./rate-limit.ts";
import type { Service } from "./service.ts";
import type { ServiceEnv } from "./service-env.ts";

/** Requests per second of everyone together; the service documents ten. */
const ratePerSecond = 10;

/** The public status API, to be mounted at its root. It takes no credentials. */
export function createStatusApi(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  answerErrors(app);
  app.use(service.log.middleware("status"));
  app.use(rateLimit(ratePerSecond, () => "everyone"));

  app.get("/api/v1/status", (c) => {
    const { clock, world, origins } = service;
    const page = {
      name: "Venue Media Service",
      state: "operational",
      state_text: "All systems operational",
      url: origins.main,
      links: {
        components: { href: "/api/v1/components", count: 0 },
        notices: { href: "/api/v1/notices", count: 0 },
      },
      created_at: new Date(world.plan.firstDay * dayMs).toISOString(),
      updated_at: clock.now.toISOString(),
    };
    return c.json({ page });
  });
  return app;
}
