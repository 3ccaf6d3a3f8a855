/** How long a page is given to others as it was made: what it says of ages and runs is that old at most. */
const keptMs = 20_000;
const mostPages = 60;

interface MadePage {
  text: Promise<string>;
  /** Of the monotonic clock. */
  madeAtMs: number;
}

/** Pages that were asked for just now: who reads the same at the same time, goes back or reloads, has it at once. */
export class MadePages {
  /** Those made last come last. */
  readonly #pages = new Map<string, MadePage>();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** @param key says all that the page depends on, but for the time */
  async get(key: string, make: () => Promise<string>): Promise<string> {
    const nowMs = this.#monotonicMs();
    const known = this.#pages.get(key);
    if (known && nowMs - known.madeAtMs < keptMs) return await known.text;
    const page = { text: make(), madeAtMs: nowMs };
    this.#pages.delete(key);
    this.#pages.set(key, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > mostPages && oldest !== undefined) this.#pages.delete(oldest);
    try {
      return await page.text;
    } catch (error) {
      if (this.#pages.get(key) === page) this.#pages.delete(key);
      throw error;
    }
  }
}
