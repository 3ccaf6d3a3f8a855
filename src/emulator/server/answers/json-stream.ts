import { setImmediate } from "node:timers/promises";

const itemsPerChunk = 20;

/** A JSON array that is written as it is read: of many thousand records only some exist at a time. */
export function jsonArrayStream(items: Iterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = items[Symbol.iterator]();
  let separator = "[";
  return new ReadableStream({
    async pull(controller) {
      // Others are to be served while the answer is made.
      await setImmediate();
      let text = "";
      for (let count = 0; count < itemsPerChunk; count += 1) {
        const { done, value } = iterator.next();
        if (done) {
          controller.enqueue(encoder.encode(`${text}${separator === "[" ? "[" : ""}]`));
          controller.close();
          return;
        }
        text += separator + JSON.stringify(value);
        separator = ",";
      }
      controller.enqueue(encoder.encode(text));
    },
    cancel() {
      iterator.return?.();
    },
  });
}
