/**
 * Runs `body` for each item, several at a time. After a failure, no further items are started. The error is thrown
 * when the items in progress have finished.
 */
export async function forEachAtOnce<Item>(
  items: Iterable<Item>,
  count: number,
  body: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const inTurn = async () => {
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await body(item);
    } catch (error) {
      waiting.length = 0;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: count }, inTurn));
  for (const { reason } of ended.filter((one) => one.status === "rejected")) throw reason;
}
