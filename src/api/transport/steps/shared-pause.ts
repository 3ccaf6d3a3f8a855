import { monotonicMs } from "../../../util/clock.ts";
import type { RetryOptions } from "../../../util/retry-delays.ts";

/**
 * How long everybody waits after a refusal (429) that names no time: a pause that doubles with each refusal of what was
 * sent after it, until one request passes.
 */
export class SharedPause {
  readonly #retry: Pick<Required<RetryOptions>, "firstDelayMs" | "longestDelayMs">;
  #refusals = 0;
  #beganMs = -Infinity;

  constructor(retry: Pick<Required<RetryOptions>, "firstDelayMs" | "longestDelayMs">) {
    this.#retry = retry;
  }

  /** In milliseconds; `undefined` for what was under way together with what was refused before. */
  afterRefusalOf(sentMs: number): number | undefined {
    if (sentMs < this.#beganMs) return undefined;
    const { firstDelayMs, longestDelayMs } = this.#retry;
    const pauseMs = Math.min(firstDelayMs * 2 ** this.#refusals, longestDelayMs);
    this.#refusals += 1;
    this.#beganMs = monotonicMs();
    return pauseMs;
  }

  end(): void {
    this.#refusals = 0;
  }
}
