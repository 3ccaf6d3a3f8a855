import { setImmediate } from "node:timers/promises";

const itemsPerTurn = 1_000;

/** Yields items, and lets the process do other work in between. */
export async function* inTurns<Item>(items: readonly Item[]): AsyncIterable<Item> {
  for (const [index, item] of items.entries()) {
    if (index % itemsPerTurn === 0) await setImmediate();
    yield item;
  }
}
