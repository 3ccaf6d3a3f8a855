import { readFile, stat } from "node:fs/promises";
import { request } from "undici";
import { createHttpAgent } from "./http-agent.ts";

const maxBytes = 100_000;
const timeoutMs = 10_000;

/** Reads at most 100 kB from a file, or from an http(s) URL within 10 seconds. Follows no redirects. @throws {Error} */
export async function readSmallFile(from: string | URL, signal: AbortSignal): Promise<Buffer> {
  if (typeof from !== "string") return await download(from, signal);
  if ((await stat(from)).size > maxBytes) throw tooLarge();
  return await readFile(from);
}

async function download(url: URL, signal: AbortSignal): Promise<Buffer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const dispatcher = createHttpAgent({ pipelining: 0 });
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      signal: AbortSignal.any([signal, timeout]),
    });
    body.on("error", () => undefined);
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of body) {
      length += piece.length;
      if (length > maxBytes) throw tooLarge();
      pieces.push(piece);
    }
    if (statusCode !== 200) throw new Error(`it answered with status ${statusCode}`);
    return Buffer.concat(pieces);
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new Error(`no answer within ${timeoutMs / 1000} s`, { cause: error });
    throw error;
  } finally {
    await dispatcher.destroy();
  }
}

function tooLarge(): Error {
  return new Error(`it is larger than ${maxBytes / 1000} kB`);
}
