import type { MiddlewareHandler } from "hono";
import { isAlreadySent } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";
import type { RequestRecord } from "./request-record.ts";

/** Number of requests that the log keeps. */
const remembered = 100_000;

export class RequestLog {
  readonly requests: RequestRecord[] = [];

  middleware(origin: RequestRecord["origin"]): MiddlewareHandler<ServiceEnv> {
    return async (c, next) => {
      const { pathname, search } = new URL(c.req.url);
      const range = c.req.header("range");
      const record: RequestRecord = {
        origin,
        at: performance.timeOrigin + performance.now(),
        method: c.req.method,
        path: pathname,
        query: search.slice(1),
        ...(range !== undefined && { range }),
        status: null,
      };
      this.requests.push(record);
      if (this.requests.length > remembered * 1.1) this.requests.splice(0, remembered * 0.1);
      c.set("record", record);
      c.set("target", { origin, endpoint: `${c.req.method} ${pathname}` });
      await next();
      if (!isAlreadySent(c.res)) record.status = c.res.status;
    };
  }
}
