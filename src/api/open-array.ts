import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { z } from "zod";
import type { RequestTarget } from "./errors/api-error.ts";
import { UnexpectedResponseError } from "./errors/unexpected-response-error.ts";
import { parseJson } from "./records/parse-json.ts";
import { parseRecord } from "./records/parse-record.ts";
import { readBodyStart } from "./transport/read-body.ts";

/** Lists up to this length are held until they are whole, so that cut ones can be asked for again. */
const longestHeldBytes = 1024 * 1024;

/** No listing comes near this: 100,000 zones take a fifth of it. What is longer may never end. */
const longestArrayBytes = 256 * 1024 * 1024;

/** Whether an answer calls itself a web page. */
export function isHtml({ headers }: Dispatcher.ResponseData): boolean {
  return String(headers["content-type"]).includes("html");
}

/**
 * The text of an answer that is an array: of a short one, whole. No content and `null` are empty ones.
 * @throws {UnreadableBodyError} when a short one is cut
 * @throws {UnexpectedResponseError} when it is no array; a long one that does not end throws it while it is read
 */
export async function openArray(response: Dispatcher.ResponseData, target: RequestTarget): Promise<Readable> {
  const body = await readBodyStart(response.body, response.headers["content-encoding"], longestHeldBytes);
  if ("text" in body) {
    const isEmpty = response.statusCode === 204;
    const json = isEmpty ? null : parseJson(body.text, { isHtml: isHtml(response), mayBeText: false });
    if (json === null) return Readable.from(["[]"]);
    parseRecord(z.array(z.unknown()), json, target);
    return Readable.from([body.text]);
  }
  if (/^\s*\[/.test(body.start) && !isHtml(response)) return endingInTime(body.whole, target);
  body.whole.destroy();
  throw new UnexpectedResponseError(target, "it is no JSON array");
}

function endingInTime(whole: Readable, target: RequestTarget): Readable {
  let bytes = 0;
  async function* limited() {
    for await (const chunk of whole as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > longestArrayBytes)
        throw new UnexpectedResponseError(target, `it is longer than ${longestArrayBytes / 1024 ** 2} MB`);
      yield chunk;
    }
  }
  return Readable.from(limited(), { objectMode: false });
}
