import type { OnInvalidRecord } from "../records/parse-record.ts";
import type { Production } from "../transport/http-cache.ts";

/** Every method can be cancelled. An abort ends waits and transfers at once, and its reason is thrown. */
export interface Cancellable {
  signal?: AbortSignal | undefined;
}

export interface ReadInput extends Cancellable {
  /** Bypasses the cache, even where the service allows a response to be reused. @default false */
  isFresh?: boolean | undefined;
  /**
   * Called before a response is read, with its time of production; called again if the response is retried.
   */
  onProduced?: ((production: Production) => void) | undefined;
}

export interface ListInput extends ReadInput {
  /**
   * Called for each record that differs from the service's documentation. The record is omitted, unless the
   * callback returns an object to use instead. Without a callback, the first such record fails the listing.
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

/** First and last day of play, as `YYYY-MM-DD`; the service documents no time zone. */
export interface PeriodInput {
  startDate?: string | undefined;
  endDate?: string | undefined;
}
