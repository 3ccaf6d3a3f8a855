/** Grants so many requests in any sliding second, and none beyond. */
export class SlidingWindow {
  readonly #capacity: number;
  readonly #windowMs: number;
  /** When the newest grants were given, oldest first. */
  readonly #grantedAtMs: number[] = [];

  /** @param ratePerSecond below 1, e.g. 0.5: one request in any two seconds */
  constructor(ratePerSecond: number) {
    this.#capacity = Math.max(1, Math.floor(ratePerSecond));
    this.#windowMs = (this.#capacity / ratePerSecond) * 1000;
  }

  /** Whether a request that arrived at an instant of a monotonic clock is granted. Refused ones do not count. */
  grants(arrivedAtMs: number): boolean {
    const [oldest] = this.#grantedAtMs;
    if (this.#grantedAtMs.length === this.#capacity && oldest !== undefined) {
      if (arrivedAtMs - oldest < this.#windowMs) return false;
      this.#grantedAtMs.shift();
    }
    this.#grantedAtMs.push(arrivedAtMs);
    return true;
  }
}
