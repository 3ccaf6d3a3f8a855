import { pipeline, type Readable, Transform } from "node:stream";
import { parser } from "stream-json/parser.js";
import { streamArray } from "stream-json/streamers/stream-array.js";

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
