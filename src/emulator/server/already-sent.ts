import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import type { ServiceEnv } from "./service-env.ts";

/** What a handler returns that has dealt with the connection itself. */
export const alreadySent: Response = RESPONSE_ALREADY_SENT;

export function isAlreadySent(response: Response): boolean {
  return response.headers.has("x-hono-already-sent");
}

/** Ends the connection with a reset, as a crashed server's machine would. */
export function resetConnection(c: Context<ServiceEnv>): Response {
  c.env.incoming.socket.resetAndDestroy();
  return alreadySent;
}
