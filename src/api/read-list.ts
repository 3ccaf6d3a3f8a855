import { pipeline, Readable, Transform } from "node:stream";
import { parser } from "stream-json/parser.js";
import { streamArray } from "stream-json/streamers/stream-array.js";
import { z } from "zod";
import { type RequestTarget, UnexpectedResponseError } from "./errors.ts";
import { parseJson, parseRecord } from "./records/parse-record.ts";
import { readBodyStart } from "./transport/read-body.ts";
import type { ApiResponse } from "./transport/send.ts";

/** Lists up to this length are held until they are whole, so that cut ones can be asked for again. */
const longestHeldBytes = 1024 * 1024;

/** No listing comes near this: 100,000 zones take a fifth of it. What is longer may never end. */
const longestArrayBytes = 256 * 1024 * 1024;

/** Whether an answer calls itself a web page. */
export function isHtml({ headers }: ApiResponse): boolean {
  return String(headers["content-type"]).includes("html");
}

/**
 * Opens the text of a response that is an array. A short one is read whole, and cached. No content and `null` are empty
 * arrays.
 * @throws {UnreadableBodyError} when a short one is cut
 * @throws {UnexpectedResponseError} when it isn't an array; a long one that does not end throws it while it is read
 */
export async function openArray(response: ApiResponse, target: RequestTarget): Promise<Readable> {
  const body = await readBodyStart(response.body, response.headers["content-encoding"], longestHeldBytes);
  if ("text" in body) {
    const isEmpty = response.status === 204;
    const json = isEmpty ? null : parseJson(body.text, { isHtml: isHtml(response), mayBeText: false });
    if (json !== null) parseRecord(z.array(z.unknown()), json, target);
    response.keep(body.text);
    return Readable.from([json === null ? "[]" : body.text]);
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

/**
 * The elements of a JSON array, one by one, as its text comes in. Numbers that JavaScript can't hold exactly, such as
 * ids beyond 2^53, come as texts of all their digits. Ends, or fails, together with `body`.
 * @throws when the text is no whole JSON array
 */
export async function* arrayItems(body: Readable): AsyncGenerator<unknown, void, undefined> {
  // The last stage carries every error of those before it, and takes them along when it is destroyed.
  const tokens = pipeline(body, parser.asStream({ streamValues: false }), keepDigits(), () => {});
  const collect = streamArray();
  for await (const token of tokens) {
    const item = collect(token);
    if (isItem(item)) yield item.value;
  }
}

function isItem(item: unknown): item is { value: unknown } {
  return typeof item === "object" && item !== null;
}

interface Token {
  name: string;
  value?: unknown;
}

/** Makes texts of the numbers that would lose digits. */
function keepDigits(): Transform {
  return new Transform({
    objectMode: true,
    transform({ name, value }: Token, _encoding, done) {
      done(
        null,
        name === "numberValue" && !isExact(String(value)) ? { name: "stringValue", value } : { name, value },
      );
    },
  });
}

function isExact(digits: string): boolean {
  const number = Number(digits);
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number));
}
