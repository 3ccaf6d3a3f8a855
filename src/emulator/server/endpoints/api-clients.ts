import type { Hono } from "hono";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import { readJsonBody } from "../requests/request-inputs.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Credentials: `api-clients/…`, directly below the base path. */
export function addApiClientEndpoints(app: Hono<ServiceEnv>, { access }: EmulatedService): void {
  app.get("/api-clients/:client_id/secret", (c) => {
    const code = c.req.query("one_time_code");
    if (!code) throw new RefusalError(400, "missing_parameter", "one_time_code is required.");
    const clientSecret = access.takeSecret(c.req.param("client_id"), code);
    return c.json({ client_secret: clientSecret }, 200, { "Cache-Control": "no-store" });
  });

  app.post("/api-clients/token", async (c) => {
    const { client_id: clientId, client_secret: clientSecret } = await readJsonBody(c, [
      "client_id",
      "client_secret",
    ]);
    const { token, expiresInSeconds } = access.issueToken(clientId, clientSecret);
    const response = { access_token: token, token_type: "Bearer", expires_in: expiresInSeconds };
    return c.json(response, 200, { "Cache-Control": "no-store" });
  });
}
