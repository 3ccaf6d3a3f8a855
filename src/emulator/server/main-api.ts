import { Hono, type MiddlewareHandler } from "hono";
import type { EmulatedService } from "./emulated-service.ts";
import { addApiClientEndpoints } from "./endpoints/api-clients.ts";
import { addAssetEndpoints } from "./endpoints/assets.ts";
import { addCampaignEndpoints } from "./endpoints/campaigns.ts";
import { addDeviceEndpoints } from "./endpoints/devices.ts";
import { addHistoryEndpoints } from "./endpoints/history.ts";
import { addHistoryExportEndpoints } from "./endpoints/history-exports.ts";
import { addMusicEndpoints } from "./endpoints/music.ts";
import { addPlaylistEndpoints } from "./endpoints/playlists.ts";
import { answerErrors } from "./error-answers.ts";
import { answerFaults } from "./faults/answer-faults.ts";
import { spoiledAnswers } from "./faults/spoiled-answers.ts";
import { RefusalError } from "./refusal-error.ts";
import { findBearerToken } from "./requests/client-access.ts";
import { clientOfRequest, rateLimit } from "./requests/rate-limit.ts";
import type { ServiceEnv } from "./service-env.ts";

/** The main API, to be mounted at its base path. */
export function createMainApi(service: EmulatedService): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  answerErrors(app);
  app.use(service.log.middleware("main"));
  app.use(rateLimit(service.settings.ratePerSecond, clientOfRequest(service)));
  app.use(answerFaults(service));
  app.use(spoiledAnswers(service));
  addApiClientEndpoints(app, service);

  const ext = new Hono<ServiceEnv>();
  ext.use(bearerAuth(service));
  addDeviceEndpoints(ext, service);
  addMusicEndpoints(ext, service);
  addPlaylistEndpoints(ext, service);
  addCampaignEndpoints(ext, service);
  addAssetEndpoints(ext, service);
  addHistoryEndpoints(ext, service);
  addHistoryExportEndpoints(ext, service);
  app.route("/ext", ext);
  return app;
}

/** Lets only requests with a valid token pass. */
function bearerAuth({ access, faults }: EmulatedService): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const token = findBearerToken(c.req.header("authorization"));
    if (token !== undefined && faults.strike("token-refused", c.get("target"))) access.revokeToken(token);
    if (access.findClientId(token) === undefined) {
      c.header("WWW-Authenticate", "Bearer");
      throw new RefusalError(401, "invalid_token", "The access token is missing, wrong or expired.");
    }
    await next();
  };
}
