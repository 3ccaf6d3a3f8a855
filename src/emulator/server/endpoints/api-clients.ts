import { z } from "zod";
import { tokenSeconds } from "../client-access.ts";
import type { AddRoute } from "../routes.ts";
import type { Service } from "../service.ts";

/** Credentials: `api-clients/…`, directly below the base path. */
export function addApiClientRoutes(add: AddRoute, { access }: Service): void {
  const secret = { client_id: z.string(), one_time_code: z.string().min(1) };
  add("GET", "/api-clients/:client_id/secret", secret, ({ client_id: clientId, one_time_code: code }) => ({
    client_secret: access.takeSecret(clientId, code),
  }));

  const credentials = { client_id: z.string(), client_secret: z.string() };
  add("POST", "/api-clients/token", credentials, ({ client_id: clientId, client_secret: clientSecret }) => ({
    access_token: access.issueToken(clientId, clientSecret),
    token_type: "Bearer",
    expires_in: tokenSeconds,
  }));
}
