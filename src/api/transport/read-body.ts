import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { toPublicCause } from "../../util/venue-error.ts";

/** Limit for JSON responses read into memory. Documented responses are much smaller. */
const maxResponseBytes = 64 * 1024 * 1024;

/**
 * Reason why a body is unusable: it is incomplete, it is a proxy's web page, or it has an unexpected form. The
 * first two may be temporary.
 */
type BodyFault = "cut" | "page" | "form";

export class UnreadableBodyError extends Error {
  readonly fault: BodyFault;

  constructor(problem: string, fault: BodyFault, options?: ErrorOptions) {
    super(problem, options);
    this.fault = fault;
  }
}

/**
 * Returns the decompressed text of a body.
 * @param limitBytes a longer body causes an error, or is truncated if `isLimitSoft`
 */
export async function readBody(
  body: Readable,
  contentEncoding: string | string[] | undefined,
  { limitBytes = maxResponseBytes, isLimitSoft = false } = {},
): Promise<string> {
  const decoded = decode(body, contentEncoding);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > limitBytes) break;
    }
  } catch (error) {
    throw new UnreadableBodyError("it was cut off in the middle", "cut", { cause: toPublicCause(error) });
  }
  if (bytes > limitBytes && !isLimitSoft) {
    throw new UnreadableBodyError(`it is longer than ${limitBytes} bytes`, "form");
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** A complete body, or the start of a long body with a stream of all of it. */
type BodyStart = { text: string } | { start: string; whole: Readable };

/**
 * Reads a short body completely, or only the start of a long one. Destroy `whole` if you don't read it to the
 * end.
 * @param limitBytes length of the longest body that is read completely
 */
export async function readBodyStart(
  body: Readable,
  contentEncoding: string | string[] | undefined,
  limitBytes: number,
): Promise<BodyStart> {
  const decoded = decode(body, contentEncoding);
  const rest = (decoded as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  for (let bytes = 0; bytes <= limitBytes; ) {
    const next = await rest.next().catch((error) => {
      throw new UnreadableBodyError("it was cut off in the middle", "cut", { cause: toPublicCause(error) });
    });
    if (next.done) return { text: new TextDecoder().decode(Buffer.concat(chunks)) };
    chunks.push(next.value);
    bytes += next.value.length;
  }
  async function* whole() {
    yield* chunks.splice(0);
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  // The first chunk may be only a line break, or end within a character.
  const start = new TextDecoder().decode(Buffer.concat(chunks));
  return {
    start,
    whole: Readable.from(whole(), { objectMode: false }).once("close", () => dispose(decoded)),
  };
}

function decode(body: Readable, contentEncoding: string | string[] | undefined): Readable {
  const decoded = decompress(body, contentEncoding);
  if (decoded) return decoded;
  dispose(body);
  throw new UnreadableBodyError(`it is encoded as ${String(contentEncoding)}`, "form");
}

function dispose(stream: Readable): void {
  stream.on("error", () => {}).destroy();
}

/** `Accept-Encoding` of requests for which compression is useful. */
export const acceptedEncodings = "gzip";

export function isEncoded(contentEncoding: string | string[] | undefined): boolean {
  return parseEncoding(contentEncoding) !== "identity";
}

/**
 * Decompresses a body. Undici's interceptor is not used, because it prints that it is experimental.
 * @returns `undefined` for any encoding other than gzip
 */
export function decompress(
  body: Readable,
  contentEncoding: string | string[] | undefined,
): Readable | undefined {
  const encoding = parseEncoding(contentEncoding);
  if (encoding === "identity") return body;
  // The last stream of a pipeline emits the errors of the earlier ones.
  return encoding === "gzip" ? pipeline(body, createGunzip(), () => {}) : undefined;
}

function parseEncoding(contentEncoding: string | string[] | undefined): string {
  return String(contentEncoding ?? "identity")
    .trim()
    .toLowerCase();
}
