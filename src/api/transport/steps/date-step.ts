import type { Dispatcher } from "undici";
import type { Clock } from "../../../util/clock.ts";
import { PassingHandler } from "./passing-handler.ts";

type Headers = Record<string, string | string[] | undefined>;

/** When the service produced a response. */
export interface Production {
  /** In data's time, by this machine's clock. */
  at: Date;
  /** A cache answered: ours, or one between us and the service. */
  isReused: boolean;
}

/** Added to each response, and kept with it by our cache: when it was produced, in epoch milliseconds. */
export const producedHeader = "x-venue-produced-at";

/** A longer `Age` is taken for this: no cache that is of use holds a response for so long. */
const longestAgeSeconds = 7 * 24 * 3600;

/**
 * Dates each response: when its request left, less the `Age` that a shared cache reports. `Date` is not used: the
 * service's clock may be wrong. Must be next to the wire, inside our own cache, which keeps the date.
 */
export function dateStep(clock: Clock): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => dispatch(options, new DatedRequest(handler, clock));
}

/** Reads what the step added. A response that an earlier version kept has only its age. */
export function productionOf(headers: Headers, now: Date): Production {
  const stamp = Number(headers[producedHeader] ?? Number.NaN);
  const producedMs = Number.isNaN(stamp) ? now.getTime() - ageMs(headers.age) : stamp;
  // The clock may have been set back since it was kept.
  return { at: new Date(Math.min(producedMs, now.getTime())), isReused: headers.age !== undefined };
}

class DatedRequest extends PassingHandler {
  readonly #clock: Clock;
  #sentMs: number;

  constructor(next: Dispatcher.DispatchHandler, clock: Clock) {
    super(next);
    this.#clock = clock;
    this.#sentMs = clock.now().getTime();
  }

  override onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#sentMs = this.#clock.now().getTime();
    super.onRequestStart(controller, context);
  }

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
    statusText?: string,
  ): void {
    const produced = String(this.#sentMs - ageMs(headers.age));
    super.onResponseStart(controller, status, { ...headers, [producedHeader]: produced }, statusText);
  }
}

/** 0 where the header is missing or is not a number of seconds. */
function ageMs(age: string | string[] | undefined): number {
  const [text = ""] = [age].flat();
  return /^\d+$/.test(text) ? Math.min(Number(text), longestAgeSeconds) * 1000 : 0;
}
