import type { Writable } from "node:stream";

/** Writes pieces as they come, at the speed at which they are read. */
export async function writePieces(
  stream: Writable,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    if (piece !== "" && !stream.write(piece)) await drained(stream, signal);
  }
}

function drained(stream: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    stream.once("drain", () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
  });
}
