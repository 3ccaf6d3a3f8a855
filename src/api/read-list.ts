import { pipeline, Readable, Transform } from "node:stream";
import { parser } from "stream-json/parser.js";
import { streamArray } from "stream-json/streamers/stream-array.js";
import { z } from "zod";
import { type RequestTarget, UnexpectedResponseError } from "./errors.ts";
import { parseJson, parseRecord } from "./records/parse-record.ts";
import { readBodyStart } from "./transport/read-body.ts";
import type { ApiResponse } from "./transport/send.ts";

/** Lists up to this length are buffered until complete, so that truncated ones can be requested again. */
const maxBufferedBytes = 1024 * 1024;

export function isHtml({ headers }: ApiResponse): boolean {
  return String(headers["content-type"]).includes("html");
}

/**
 * Opens the text of a response that should be an array. A short response is read completely and cached. No
 * content (204) and `null` are treated as empty arrays.
 * @throws {UnreadableBodyError} if a short response is truncated
 * @throws {UnexpectedResponseError} if it isn't an array
 */
export async function openArray(response: ApiResponse, target: RequestTarget): Promise<Readable> {
  const body = await readBodyStart(response.body, response.headers["content-encoding"], maxBufferedBytes);
  if ("text" in body) {
    const isEmpty = response.status === 204;
    const json = isEmpty ? null : parseJson(body.text, { isHtml: isHtml(response), mayBeText: false });
    if (json !== null) parseRecord(z.array(z.unknown()), json, target);
    response.keep(body.text);
    return Readable.from([json === null ? "[]" : body.text]);
  }
  if (/^\s*\[/.test(body.start) && !isHtml(response)) return body.whole;
  body.whole.destroy();
  throw new UnexpectedResponseError(target, "it is not a JSON array");
}

/**
 * Streams the elements of a JSON array. Numbers that JavaScript can't represent exactly, such as ids beyond
 * 2^53, are returned as text with all digits. Ends or fails together with `body`.
 * @throws if the text is not a complete JSON array
 */
export async function* streamArrayItems(body: Readable): AsyncGenerator<unknown, void, undefined> {
  // The last stage emits the errors of all earlier ones, and destroying it destroys them.
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

/** Converts numbers that would lose digits to text. */
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
