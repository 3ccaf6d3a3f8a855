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

/** Whether an answer calls itself a web page. */
export function isHtml({ headers }: Dispatcher.ResponseData): boolean {
  return String(headers["content-type"]).includes("html");
}

/**
 * The text of an answer that is an array: of a short one, whole.
 * @throws {UnreadableBodyError} when a short one is cut
 * @throws {UnexpectedResponseError} when it is no array
 */
export async function openArray(response: Dispatcher.ResponseData, target: RequestTarget): Promise<Readable> {
  const body = await readBodyStart(response.body, response.headers["content-encoding"], longestHeldBytes);
  if ("text" in body) {
    const json = parseJson(body.text, { isHtml: isHtml(response), mayBeText: false });
    parseRecord(z.array(z.unknown()), json, target);
    return Readable.from([body.text]);
  }
  if (/^\s*\[/.test(body.start) && !isHtml(response)) return body.whole;
  body.whole.destroy();
  throw new UnexpectedResponseError(target, "it is no JSON array");
}
