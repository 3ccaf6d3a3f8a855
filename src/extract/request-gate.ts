/**
 * Order in which waiting requests are let through. Exports and devices come first, because they take few
 * requests and other work depends on them.
 */
export const priority = { exports: 0, devices: 1, history: 2, campaigns: 3 } as const;
export type Priority = (typeof priority)[keyof typeof priority];

interface Waiting {
  priority: Priority;
  pass(): void;
  refuse(): void;
}

/**
 * Passes requests to the shared budget by priority. The budget's own queue is first come, first served, so
 * the gate passes only a few requests at a time. Once `stopping` is aborted, no more requests pass,
 * but those in progress finish.
 */
export class RequestGate {
  readonly #limit: number;
  readonly #stopping: AbortSignal;
  readonly #waiting: Waiting[] = [];
  #inside = 0;

  /**
   * @param limit number of concurrent requests, which must be enough to reach the agreed rate despite slow
   * responses
   */
  constructor(limit: number, stopping: AbortSignal) {
    this.#limit = limit;
    this.#stopping = stopping;
    stopping.addEventListener("abort", () => {
      for (const waiting of this.#waiting.splice(0)) waiting.refuse();
    });
  }

  /** Waits until the request may pass. Returns a function to call when the request has finished. */
  async enter(rank: Priority): Promise<() => void> {
    this.#stopping.throwIfAborted();
    if (this.#inside < this.#limit) this.#inside += 1;
    else await this.#wait(rank);
    let isInside = true;
    return () => {
      if (isInside) this.#leave();
      isInside = false;
    };
  }

  async run<Answer>(rank: Priority, request: () => Promise<Answer>): Promise<Answer> {
    const leave = await this.enter(rank);
    try {
      return await request();
    } finally {
      leave();
    }
  }

  async #wait(rank: Priority): Promise<void> {
    await new Promise<void>((pass, reject) => {
      const waiting = { priority: rank, pass, refuse: () => reject(this.#stopping.reason) };
      const index = this.#waiting.findIndex((other) => other.priority > rank);
      this.#waiting.splice(index < 0 ? this.#waiting.length : index, 0, waiting);
    });
  }

  /** Passes the next waiting request. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.pass();
    else this.#inside -= 1;
  }
}

/**
 * Returns the number of concurrent requests for a rate: enough to reach it if responses take a third of a
 * second.
 */
export function computeGateLimit(ratePerSecond: number): number {
  return Math.min(2 + Math.ceil(ratePerSecond / 3), 24);
}
