/**
 * Order in which waiting requests are sent. Exports and devices come first, because they take few requests and
 * other work depends on them.
 */
export const priority = { exports: 0, devices: 1, history: 2, campaigns: 3 } as const;
export type Priority = (typeof priority)[keyof typeof priority];

interface Waiting {
  priority: Priority;
  pass(): void;
  refuse(): void;
}

/**
 * Passes requests to the shared budget by priority. The budget's queue is first in, first out, so the gate
 * passes only a few requests at a time. After `stopping` is aborted, requests in progress finish, but no others
 * pass.
 */
export class RequestGate {
  readonly #limit: number;
  readonly #stopping: AbortSignal;
  readonly #waiting: Waiting[] = [];
  #inside = 0;

  /** @param limit number of concurrent requests; must be high enough to reach the agreed rate with slow responses */
  constructor(limit: number, stopping: AbortSignal) {
    this.#limit = limit;
    this.#stopping = stopping;
    stopping.addEventListener("abort", () => {
      for (const waiting of this.#waiting.splice(0)) waiting.refuse();
    });
  }

  /** Waits until the request may be sent. Returns a function to call when the request has finished. */
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

/** Returns the number of concurrent requests needed to reach a rate if each response takes a third of a second. */
export function computeGateLimit(ratePerSecond: number): number {
  return Math.min(2 + Math.ceil(ratePerSecond / 3), 24);
}
