/** Who goes first when requests wait: what matters most, and what is cheap and unblocks other work. */
export const priority = { exports: 0, devices: 1, history: 2, campaigns: 3 } as const;
export type Priority = (typeof priority)[keyof typeof priority];

interface Waiting {
  priority: Priority;
  admit(): void;
  refuse(): void;
}

/**
 * Lets few requests at a time into the queue of the shared budget, which is first come, first served, so that
 * those of a higher priority don't wait behind thousands of others. Once `stopping` is aborted nobody is let in any
 * more; what is under way goes on to its end.
 */
export class RequestGate {
  readonly #limit: number;
  readonly #stopping: AbortSignal;
  readonly #waiting: Waiting[] = [];
  #inside = 0;

  /** @param limit requests at a time; enough to keep the agreed rate while answers take their time */
  constructor(limit: number, stopping: AbortSignal) {
    this.#limit = limit;
    this.#stopping = stopping;
    stopping.addEventListener("abort", () => {
      for (const waiting of this.#waiting.splice(0)) waiting.refuse();
    });
  }

  /** Resolves when it is this request's turn, with what is to be called when it is over. */
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

  /** Does one request when it is its turn. */
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

  /** The place goes to the next one that waits. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.admit();
    else this.#inside -= 1;
  }
}

/** How many requests may be under way at this rate: answers that take a third of a second don't slow it. */
export function gateLimit(ratePerSecond: number): number {
  return Math.min(2 + Math.ceil(ratePerSecond / 3), 24);
}
