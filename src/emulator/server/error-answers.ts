import type { Hono } from "hono";
import { alreadySent } from "./already-sent.ts";
import { errorBody, RefusalError } from "./refusal-error.ts";
import type { ServiceEnv } from "./service-env.ts";

/** Makes an app answer refusals, unknown paths and bugs with JSON. */
export function answerErrors(app: Hono<ServiceEnv>): void {
  app.notFound((c) => c.json(errorBody("not_found", `There is nothing at ${c.req.path}.`), 404));
  app.onError((error, c) => {
    const { outgoing } = c.env;
    if (outgoing.headersSent) {
      // A download broke off, or the emulator closes: all that is left to say is that this was not the end.
      outgoing.destroy();
      return alreadySent;
    }
    if (error instanceof RefusalError) return c.json(errorBody(error.code, error.message), error.status);
    return c.json(errorBody("emulator_bug", error.message), 500);
  });
}
