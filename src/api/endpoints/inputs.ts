import type { OnMisfit } from "../records/parse-record.ts";
import type { Production } from "../transport/cached-answers.ts";

/** Every method can be cancelled: an abort ends waits and transfers at once, and its reason is thrown. */
export interface Cancellable {
  signal?: AbortSignal | undefined;
}

/** Reading changes nothing. */
export interface ReadInput extends Cancellable {
  /** No answer will do that was kept as long as the service allows it. @default false */
  isFresh?: boolean | undefined;
  /** Called before a response is read, with when the service produced it. A response that is cut and repeated calls it again. */
  onProduced?: ((production: Production) => void) | undefined;
}

export interface ListInput extends ReadInput {
  /**
   * Told of records that are not what the service documents: they are left out, unless it answers an object to be read
   * in their place. Where none is taken, the listing fails.
   * @default the first one fails the listing
   */
  onMisfit?: OnMisfit | undefined;
}

export interface GroupInput extends Cancellable {
  groupId: number;
}

export interface ZoneInput extends Cancellable {
  zoneId: number;
}

export interface PageInput extends ReadInput {
  /** Records per page; the service documents neither a default nor a greatest value. */
  limit?: number | undefined;
  /** Records to skip. @default 0 */
  offset?: number | undefined;
}

/** When something may play. Days are `YYYY-MM-DD`; the service documents no time zone. */
export interface PeriodInput {
  startDate?: string | undefined;
  endDate?: string | undefined;
}
