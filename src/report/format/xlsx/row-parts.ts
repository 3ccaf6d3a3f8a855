/** Items that come once, taken in parts. */
export class RowParts<Item> {
  readonly #items: AsyncIterator<Item>;
  #next: Promise<IteratorResult<Item>> | undefined;

  constructor(items: AsyncIterable<Item>) {
    this.#items = items[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    this.#next ??= this.#items.next();
    return !(await this.#next).done;
  }

  /** The next ones, at most so many. */
  async *take(limit: number): AsyncIterable<Item> {
    for (let count = 0; count < limit; count += 1) {
      const next = await (this.#next ?? this.#items.next());
      this.#next = undefined;
      if (next.done) return;
      yield next.value;
    }
  }

  /** Takes no more. */
  async close(): Promise<void> {
    await this.#items.return?.();
  }
}
