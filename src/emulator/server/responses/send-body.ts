import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { EmulatedService } from "../emulated-service.ts";

interface SendOptions {
  /** If undefined, sends as fast as the client reads. */
  bytesPerSecond: number | undefined;
  closing: AbortSignal;
  /** Called with the number of bytes handed to the connection. */
  onSent(bytes: number): void;
}

/** Number of writes per second in a throttled download. */
const slicesPerSecond = 20;

/**
 * Writes a body at the client's pace, chunk by chunk. Returns once it is written or the client disconnects.
 */
export async function sendBody(
  outgoing: ServerResponse,
  body: AsyncIterable<Buffer>,
  { bytesPerSecond, closing, onSent }: SendOptions,
): Promise<void> {
  const sliceBytes = bytesPerSecond && Math.max(1, Math.round(bytesPerSecond / slicesPerSecond));
  for await (const chunk of body) {
    for (const slice of sliceBytes ? splitIntoSlices(chunk, sliceBytes) : [chunk]) {
      if (outgoing.destroyed) return;
      const canContinue = outgoing.write(slice);
      onSent(slice.length);
      if (!canContinue) await waitForDrain(outgoing);
      if (sliceBytes) await sleep(1000 / slicesPerSecond, undefined, { signal: closing });
    }
  }
}

function* splitIntoSlices(chunk: Buffer, sliceBytes: number): Generator<Buffer> {
  for (let from = 0; from < chunk.length; from += sliceBytes) yield chunk.subarray(from, from + sliceBytes);
}

/** Resolves once more can be written, or the connection has closed. */
async function waitForDrain(outgoing: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  const events = [once(outgoing, "drain", { signal }), once(outgoing, "close", { signal })];
  // Errors are ignored, because a broken connection also closes.
  await Promise.race(events).catch(() => {});
  settled.abort();
  await Promise.allSettled(events);
}

const itemsPerChunk = 20;

/**
 * Streams a JSON array while its items are read, so that only a few of many thousand records are in memory.
 */
export function jsonArrayStream(items: Iterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = items[Symbol.iterator]();
  let separator = "[";
  return new ReadableStream({
    async pull(controller) {
      // Lets other requests run meanwhile.
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

/** Returns headers for a response that clients may cache briefly. */
export function listingHeaders({ settings }: EmulatedService): Record<string, string> {
  return { "Cache-Control": `private, max-age=${settings.listingMaxAgeSeconds}` };
}

/** Returns headers for a response that is the same for every client. */
export function publicHeaders({ settings }: EmulatedService): Record<string, string> {
  return { "Cache-Control": `public, max-age=${settings.listingMaxAgeSeconds}` };
}

/** Headers for a response that must not be cached. */
export const momentHeaders = { "Cache-Control": "no-store" };
