import type { HttpBindings } from "@hono/node-server";
import type { FaultTarget } from "./faults/fault-switchboard.ts";
import type { RequestRecord } from "./requests/request-record.ts";

/** Values that Hono attaches to a request. */
export interface ServiceEnv {
  Bindings: HttpBindings;
  Variables: { record: RequestRecord; target: FaultTarget };
}
