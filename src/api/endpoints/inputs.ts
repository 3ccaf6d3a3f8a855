import type { OnInvalidRecord } from "../records/parse-record.ts";
import type { Production } from "../transport/http-cache.ts";

/** Every method can be cancelled: an abort ends waits and transfers at once, and its reason is thrown. */
export interface Cancellable {
  signal?: AbortSignal | undefined;
}

export interface ReadInput extends Cancellable {
  /** Bypass the cache, even within the time that the service allows. @default false */
  isFresh?: boolean | undefined;
  /** Called with the time of production before a response is read; again if it is cut and retried. */
  onProduced?: ((production: Production) => void) | undefined;
}

export interface ListInput extends ReadInput {
  /**
   * Called for records that differ from the service's documentation. They are omitted, unless it returns an
   * object to read instead. Without it, the first one fails the listing.
   */
  onInvalidRecord?: OnInvalidRecord | undefined;
}

export interface GroupInput extends Cancellable {
  groupId: number;
}

export interface ZoneInput extends Cancellable {
  zoneId: number;
}

export interface PageInput extends ReadInput {
  /** Records per page; the service documents neither a default nor a maximum. */
  limit?: number | undefined;
  /** Records to skip. @default 0 */
  offset?: number | undefined;
}

/** Period of play. Days are `YYYY-MM-DD`; the service documents no time zone. */
export interface PeriodInput {
  startDate?: string | undefined;
  endDate?: string | undefined;
}
