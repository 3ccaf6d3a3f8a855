import type { FormatOptions } from "../../../report/format/formatter.ts";
import { formatRows } from "../../../report/format/table/format-rows.ts";
import { type Column, type Listing, rowsOf } from "./columns.ts";
import { jsonText } from "./json-text.ts";
import { recordText } from "./record-text.ts";

interface ViewOptions<Inputs> extends FormatOptions {
  inputs: Inputs;
  /** What was done, of an action that changes something. */
  sentence: string;
}

/** An answer as text, piece by piece while it comes: for people, and with `--json`. */
export interface View<Answer, Inputs = unknown> {
  text(answer: Answer, options: ViewOptions<Inputs>): AsyncIterable<string>;
  json(answer: Answer, options: ViewOptions<Inputs>): AsyncIterable<string>;
}

/** Of a command: the service answers `true`, or an empty object. */
export function done(json: true | object = true): View<void> {
  return {
    async *text(_, { sentence }) {
      yield `${sentence}: done.\n`;
    },
    async *json() {
      yield `${jsonText(json)}\n`;
    },
  };
}

/**
 * Names with their values.
 * @param wrap the answer as the service gives it, where the client has unwrapped it
 * @param lists columns of the tables of its lists, by field @default whatever their records have
 */
export function record<Item extends object>({
  wrap = (item) => item,
  lists = {},
}: {
  wrap?: (item: Item) => object;
  lists?: Record<string, readonly Column[]>;
} = {}): View<Item> {
  return {
    async *text(item, options) {
      yield* recordText(item, lists, options);
    },
    async *json(item) {
      yield `${jsonText(wrap(item), 2)}\n`;
    },
  };
}

/** One row per record; written while they come. */
export function table<Item extends object>(...columns: Column[]): View<Listing<Item>> {
  return {
    text: (items, options) => formatRows({ columns, rows: rowsOf(items, columns) }, options),
    json: (items) => jsonArray(items),
  };
}

/** One JSON object per line, whoever reads it: what may be long is not for reading. */
export function jsonLines<Item extends object>(): View<Listing<Item>> {
  const lines = async function* (items: Listing<Item>) {
    for await (const item of items) yield `${jsonText(item)}\n`;
  };
  return { text: lines, json: lines };
}

/** What is shown depends on what was asked for. */
export function byInput<Answer, Inputs>(choose: (inputs: Inputs) => View<Answer>): View<Answer, Inputs> {
  return {
    text: (answer, options) => choose(options.inputs).text(answer, options),
    json: (answer, options) => choose(options.inputs).json(answer, options),
  };
}

/** Answers of two forms: one page, or all records. */
export function either<First, Second, Inputs>(
  isFirst: (answer: First | Second) => answer is First,
  first: View<First, Inputs>,
  second: View<Second, Inputs>,
): View<First | Second, Inputs> {
  return {
    text: (answer, options) => (isFirst(answer) ? first.text(answer, options) : second.text(answer, options)),
    json: (answer, options) => (isFirst(answer) ? first.json(answer, options) : second.json(answer, options)),
  };
}

/** An array, one record per line. */
async function* jsonArray(items: Listing<object>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const item of items) {
    yield `${before}${jsonText(item)}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
