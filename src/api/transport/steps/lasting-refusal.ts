import { monotonicMs } from "../../../util/clock.ts";

/**
 * How long the service has refused whatever it was sent (429, or another failure with a time to wait): once that is
 * longer than anybody waits, nobody does.
 */
export class LastingRefusal {
  readonly #patienceMs: number;
  #status = 0;
  #sinceMs = 0;
  #lastMs = -Infinity;

  /** @param patienceMs longest that a request waits; refusals that are further apart have nothing to do with each other */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  add(status: number): void {
    const nowMs = monotonicMs();
    if (nowMs - this.#lastMs > this.#patienceMs) this.#sinceMs = nowMs;
    this.#lastMs = nowMs;
    this.#status = status;
  }

  end(): void {
    this.#lastMs = -Infinity;
  }

  /** The status of the last refusal; `undefined` while it may pass in time. */
  findStatus(): number | undefined {
    const isOver = this.#lastMs === -Infinity;
    return isOver || monotonicMs() - this.#sinceMs <= this.#patienceMs ? undefined : this.#status;
  }
}
