/** Order of waiting requests: the most important first, and those that are cheap and unblock other work. */
export const priority = { exports: 0, devices: 1, history: 2, campaigns: 3 } as const;
export type Priority = (typeof priority)[keyof typeof priority];

interface Waiting {
  priority: Priority;
  admit(): void;
  refuse(): void;
}

/**
 * Admits a few requests at a time to the queue of the shared budget, which is first come, first served, so
 * that higher priorities overtake. Once `stopping` is aborted, none is admitted; those in progress finish.
 */
export class RequestGate {
  readonly #limit: number;
  readonly #stopping: AbortSignal;
  readonly #waiting: Waiting[] = [];
  #inside = 0;

  /** @param limit concurrent requests; enough to keep the agreed rate while responses take their time */
  constructor(limit: number, stopping: AbortSignal) {
    this.#limit = limit;
    this.#stopping = stopping;
    stopping.addEventListener("abort", () => {
      for (const waiting of this.#waiting.splice(0)) waiting.refuse();
    });
  }

  /** Waits for this request's turn, and returns a function that ends it. */
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
    await new Promise<void>((admit, reject) => {
      const waiting = { priority: rank, admit, refuse: () => reject(this.#stopping.reason) };
      const index = this.#waiting.findIndex((other) => other.priority > rank);
      this.#waiting.splice(index < 0 ? this.#waiting.length : index, 0, waiting);
    });
  }

  /** Passes the turn to the next waiting request. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.admit();
    else this.#inside -= 1;
  }
}

/** Returns how many requests may run at this rate: responses that take a third of a second don't slow it. */
export function computeGateLimit(ratePerSecond: number): number {
  return Math.min(2 + Math.ceil(ratePerSecond / 3), 24);
}
