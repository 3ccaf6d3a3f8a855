import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Env, Hono } from "hono";

/** An error response. The service documents no error format, so this format is the emulator's. */
export class RefusalError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 410 | 416 | 429;
  /** Stable identifier for programs. */
  readonly code: string;

  constructor(status: RefusalError["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function buildErrorBody(code: string, message: string): { error: { code: string; message: string } } {
  return { error: { code, message } };
}

/** Makes an app respond to refusals, unknown paths and bugs with JSON. */
export function respondToErrors<AppEnv extends Env>(app: Hono<AppEnv>): void {
  app.notFound((c) => c.json(buildErrorBody("not_found", `${c.req.path} is not an endpoint.`), 404));
  app.onError((error, c) => {
    if (error instanceof RefusalError) return c.json(buildErrorBody(error.code, error.message), error.status);
    return c.json(buildErrorBody("emulator_bug", error.message), 500);
  });
}

/** Return value of a handler that sent the response itself. */
export const alreadySent: Response = RESPONSE_ALREADY_SENT;

export function isAlreadySent(response: Response): boolean {
  return response.headers.has("x-hono-already-sent");
}
