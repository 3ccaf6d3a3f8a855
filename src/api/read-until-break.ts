import { finished, type Readable } from "node:stream";

/** Number of unread bytes above which the sender is slowed down. */
const maxPendingBytes = 1024 * 1024;

/**
 * Streams the chunks up to the point where the stream ends or breaks. Plain iteration would drop chunks that
 * had arrived but not been read when the connection broke.
 * @throws the stream's error, after the last chunk
 */
export async function* readUntilBreak(stream: Readable): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = [];
  let waiting = 0;
  let end: { error: unknown } | undefined;
  let wake = () => {};
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    waiting += chunk.length;
    if (waiting > maxPendingBytes) stream.pause();
    wake();
  });
  finished(stream, { writable: false }, (error) => {
    end = { error };
    wake();
  });
  try {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk) {
        waiting -= chunk.length;
        yield chunk;
      } else if (end) {
        if (end.error) throw end.error;
        return;
      } else {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        stream.resume();
        await woken;
      }
    }
  } finally {
    stream.destroy();
  }
}

/** A parsed `Content-Range`, in bytes. */
interface ContentRange {
  /** First byte of the part; absent with status 416. */
  start: number | undefined;
  /** Length of the whole file; absent if the server does not know it. */
  total: number | undefined;
}

export function parseContentRange(header: string | string[] | undefined): ContentRange | undefined {
  if (typeof header !== "string") return undefined;
  const [, start, total] = /^bytes\s+(?:(\d+)-\d+|\*)\/(\d+|\*)$/i.exec(header.trim()) ?? [];
  if (total === undefined) return undefined;
  return {
    start: start === undefined ? undefined : Number(start),
    total: total === "*" ? undefined : Number(total),
  };
}
