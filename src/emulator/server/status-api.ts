import { Hono } from "hono";
import type { EmulatedService } from "./emulated-service.ts";
import { addStatusComponentEndpoints } from "./endpoints/status-components.ts";
import { addStatusNoticeEndpoints } from "./endpoints/status-notices.ts";
import { addStatusPageEndpoint } from "./endpoints/status-page.ts";
import { answerErrors } from "./error-answers.ts";
import { answerFaults } from "./faults/answer-faults.ts";
import { spoiledAnswers } from "./faults/spoiled-answers.ts";
import { rateLimit } from "./requests/rate-limit.ts";
import type { ServiceEnv } from "./service-env.ts";

/** Requests per second of everyone together; the service documents ten. */
const ratePerSecond = 10;

/** The public status API, to be mounted at its root. It takes no credentials. */
export function createStatusApi(service: EmulatedService): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  answerErrors(app);
  app.use(service.log.middleware("status"));
  app.use(rateLimit(ratePerSecond, () => "everyone"));
  app.use(answerFaults(service));
  app.use(spoiledAnswers(service));
  addStatusPageEndpoint(app, service);
  addStatusComponentEndpoints(app, service);
  addStatusNoticeEndpoints(app, service);
  return app;
}
