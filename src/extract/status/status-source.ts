import type { StatusClient } from "../../api/status-client.ts";

/** The status API: it has a budget of its own. */
export interface StatusSource {
  client: StatusClient;
  /** Root: what is known is kept apart by it. */
  url: string;
}
