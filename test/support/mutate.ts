import type { Random } from "../load/history/random-lines.ts";

/** Returns a mutation of the bytes or, for JSON, of the values. Repeatable by seed. */
export function mutate(content: Buffer, random: Random): Buffer {
  const ways = [flipBits, overwrite, cut, remove, repeat, insert, replaceValue, replaceValue];
  let mutated = content;
  for (let count = random.pick([1, 1, 1, 2, 5]); count > 0; count -= 1)
    mutated = random.pick(ways)(mutated, random);
  return mutated;
}

function flipBits(content: Buffer, random: Random): Buffer {
  const mutated = Buffer.from(content);
  const place = random.below(content.length);
  if (place < mutated.length) mutated[place] = (mutated[place] ?? 0) ^ (1 << random.below(8));
  return mutated;
}

function overwrite(content: Buffer, random: Random): Buffer {
  const mutated = Buffer.from(content);
  const from = random.below(content.length);
  for (let at = from; at < Math.min(content.length, from + 1 + random.below(8)); at += 1)
    mutated[at] = random.below(256);
  return mutated;
}

function cut(content: Buffer, random: Random): Buffer {
  return content.subarray(0, random.below(content.length + 1));
}

function remove(content: Buffer, random: Random): Buffer {
  const { before, after } = part(content, random);
  return Buffer.concat([before, after]);
}

function repeat(content: Buffer, random: Random): Buffer {
  const { before, some, after } = part(content, random);
  return Buffer.concat([before, some, some, after]);
}

/** Texts with a special meaning in JSON, UTF-8, CSV or C. */
const pieces = ["\0", "\ufeff", '"', "\\", "{", "]", ",", "\n", "\r", "#", "'", "-", "e9", "\u2028"];

function insert(content: Buffer, random: Random): Buffer {
  const place = random.below(content.length + 1);
  const piece =
    random.next() < 0.3
      ? Buffer.from(random.pick([[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80], [0xc0, 0x80]]))
      : Buffer.from(random.pick(pieces));
  return Buffer.concat([content.subarray(0, place), piece, content.subarray(place)]);
}

function part(content: Buffer, random: Random): { before: Buffer; some: Buffer; after: Buffer } {
  const from = random.below(content.length + 1);
  const to = Math.min(content.length, from + random.below(random.pick([4, 100, 5000])));
  return { before: content.subarray(0, from), some: content.subarray(from, to), after: content.subarray(to) };
}

const deep = 3000;
/** JSON values of every type and size, and some invalid ones. */
const values = [
  ...["null", "true", "[]", "{}", '""', '"x"', "0", "-1", "-0", "0.5", "7.0", "1e3", "1e999", "NaN", "01"],
  ...["9007199254740993", "2251799813685248", "99999999999999999999999", '"12"', '" 12 "', '"-0"', "1e-400"],
  ...['"\\ud800"', '"\\u0000"', '"__proto__"', '"../../../etc/passwd"', '"file:///etc/passwd"', '"a\\nb"'],
  ...['"9999-12-31T23:59:59Z"', '"0000-00-00"', '"2026-02-30T25:61:61+99:99"', '{"__proto__":{"a":1}}'],
  ...[`"${"x".repeat(70_000)}"`, `${"[".repeat(deep)}${"]".repeat(deep)}`, `${`{"a":`.repeat(deep)}1`],
];
const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;

function replaceValue(content: Buffer, random: Random): Buffer {
  const text = content.toString("latin1");
  const found = [...text.matchAll(token)];
  if (found.length === 0) return insert(content, random);
  const { index, 0: old } = random.pick(found);
  const other = random.next() < 0.2 ? random.pick(found)[0] : random.pick(values);
  return Buffer.from(text.slice(0, index) + other + text.slice(index + old.length), "latin1");
}
