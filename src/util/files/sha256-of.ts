import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

const bufferBytes = 256 * 1024;

/** Of a file's content, in hexadecimal. */
export async function sha256Of(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  // One buffer: to collect those that a stream makes takes as long as the hash.
  const buffer = Buffer.allocUnsafe(bufferBytes);
  const handle = await open(file);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, bufferBytes);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
