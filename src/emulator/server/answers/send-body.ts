import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface SendOptions {
  /** Undefined: as fast as the other side reads. */
  bytesPerSecond: number | undefined;
  closing: AbortSignal;
  /** Told how many bytes were handed to the connection. */
  onSent(bytes: number): void;
}

/** How often a second a slow download sends. */
const slicesPerSecond = 20;

/**
 * Writes a body no faster than the other side reads it, holding one chunk at a time. Returns when all is written
 * or the other side is gone.
 */
export async function sendBody(
  outgoing: ServerResponse,
  body: AsyncIterable<Buffer>,
  { bytesPerSecond, closing, onSent }: SendOptions,
): Promise<void> {
  const sliceBytes = bytesPerSecond && Math.max(1, Math.round(bytesPerSecond / slicesPerSecond));
  for await (const chunk of body) {
    for (const slice of sliceBytes ? slicesOf(chunk, sliceBytes) : [chunk]) {
      if (outgoing.destroyed) return;
      const mayGoOn = outgoing.write(slice);
      onSent(slice.length);
      if (!mayGoOn) await drained(outgoing);
      if (sliceBytes) await sleep(1000 / slicesPerSecond, undefined, { signal: closing });
    }
  }
}

function* slicesOf(chunk: Buffer, sliceBytes: number): Generator<Buffer> {
  for (let from = 0; from < chunk.length; from += sliceBytes) yield chunk.subarray(from, from + sliceBytes);
}

/** Resolves once more can be written, or never will. */
async function drained(outgoing: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  const events = [once(outgoing, "drain", { signal }), once(outgoing, "close", { signal })];
  // A broken connection closes as well.
  await Promise.race(events).catch(() => {});
  settled.abort();
  await Promise.allSettled(events);
}
