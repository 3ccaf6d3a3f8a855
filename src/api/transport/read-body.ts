import type { Readable } from "node:stream";
import { publicCause } from "../errors/public-cause.ts";
import { decompress } from "./decompress.ts";

/** Answers are JSON documents that are held whole; nothing documented comes near this. */
const longestAnswerBytes = 64 * 1024 * 1024;

/** A body could not be read as text; `isCut` where another try may bring it whole. */
export class UnreadableBodyError extends Error {
  readonly isCut: boolean;

  constructor(problem: string, isCut: boolean, options?: ErrorOptions) {
    super(problem, options);
    this.isCut = isCut;
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
  const decoded = decompress(body, contentEncoding);
  if (!decoded) {
    body.on("error", () => {}).destroy();
    throw new UnreadableBodyError(`it is encoded as ${String(contentEncoding)}`, false);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > limitBytes) break;
    }
  } catch (error) {
    throw new UnreadableBodyError("it was cut off in the middle", true, { cause: publicCause(error) });
  }
  if (bytes > limitBytes && !isLimitSoft) {
    throw new UnreadableBodyError(`it is longer than ${limitBytes} bytes`, false);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
