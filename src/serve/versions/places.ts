interface Place<Item> {
  item: Item;
  /** Gives it to whoever waits; only the first call counts. */
  release(): void;
}

/** Things of which each is used by one at a time. Who comes first is served first. */
export class Places<Item> {
  readonly #free: Item[];
  readonly #all: number;
  readonly #waiting: ((item: Item) => void)[] = [];
  #whenEmpty: (() => void) | undefined;

  constructor(items: readonly Item[]) {
    this.#free = [...items];
    this.#all = items.length;
  }

  /** @throws the signal's reason when it is aborted while all are in use */
  async take(signal: AbortSignal): Promise<Place<Item>> {
    const item = this.#free.pop() ?? (await this.#wait(signal));
    let isTaken = true;
    return {
      item,
      release: () => {
        if (isTaken) this.#giveBack(item);
        isTaken = false;
      },
    };
  }

  /** Resolves once nothing is in use any more. */
  async empty(): Promise<void> {
    if (this.#free.length === this.#all) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }

  #wait(signal: AbortSignal): Promise<Item> {
    return new Promise((resolve, reject) => {
      const serve = (item: Item) => {
        signal.removeEventListener("abort", leave);
        resolve(item);
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(serve), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(serve);
    });
  }

  #giveBack(item: Item): void {
    const next = this.#waiting.shift();
    if (next) {
      next(item);
      return;
    }
    this.#free.push(item);
    if (this.#free.length === this.#all) this.#whenEmpty?.();
  }
}
