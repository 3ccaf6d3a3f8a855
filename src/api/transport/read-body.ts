import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { publicCause } from "../../util/venue-error.ts";

/** Answers are JSON documents that are held whole; nothing documented comes near this. */
const longestAnswerBytes = 64 * 1024 * 1024;

/**
 * Why a body is no answer: it did not come whole, it is a page of something that stands before the service, or it is
 * of a form that was not asked for. Another try may bring an answer after the first two.
 */
type BodyFault = "cut" | "page" | "form";

/** A body could not be read as an answer. */
export class UnreadableBodyError extends Error {
  readonly fault: BodyFault;

  constructor(problem: string, fault: BodyFault, options?: ErrorOptions) {
    super(problem, options);
    this.fault = fault;
  }
}

/**
 * The text of a body, decompressed.
 * @param limitBytes what lies beyond is not read: an error, or cut off where `isLimitSoft`
 */
export async function readBody(
  body: Readable,
  contentEncoding: string | string[] | undefined,
  { limitBytes = longestAnswerBytes, isLimitSoft = false } = {},
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
    throw new UnreadableBodyError("it was cut off in the middle", "cut", { cause: publicCause(error) });
  }
  if (bytes > limitBytes && !isLimitSoft) {
    throw new UnreadableBodyError(`it is longer than ${limitBytes} bytes`, "form");
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** A body that was read to its end, or the first part of a longer one and a stream of all of it. */
type BodyStart = { text: string } | { start: string; whole: Readable };

/**
 * Reads a body up to a size at which it is too long to be held. Destroy `whole` if it is not read to its end.
 * @param limitBytes the longest body that is read whole
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
      throw new UnreadableBodyError("it was cut off in the middle", "cut", { cause: publicCause(error) });
    });
    if (next.done) return { text: new TextDecoder().decode(Buffer.concat(chunks)) };
    chunks.push(next.value);
    bytes += next.value.length;
  }
  async function* whole() {
    yield* chunks.splice(0);
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  // Not of the first chunk alone: that may be a line break, or part of one character.
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

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What we ask for, where compression is of use. */
export const acceptedEncodings = "gzip";

export function isEncoded(contentEncoding: string | string[] | undefined): boolean {
  return encodings(contentEncoding).length > 0;
}

/**
 * A body without its content encoding. Undici's own step for this warns on stderr that it is experimental.
 * @returns `undefined` when it is an encoding that we don't know
 */
export function decompress(
  body: Readable,
  contentEncoding: string | string[] | undefined,
): Readable | undefined {
  const stages: Transform[] = [];
  for (const encoding of encodings(contentEncoding).reverse()) {
    const create = decoders[encoding];
    if (!create) return undefined;
    stages.push(create());
  }
  // The last stage carries every error of those before it.
  return stages.length === 0 ? body : (pipeline([body, ...stages], () => {}) as unknown as Readable);
}

function encodings(contentEncoding: string | string[] | undefined): string[] {
  return [contentEncoding ?? []]
    .flat()
    .join(",")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}
