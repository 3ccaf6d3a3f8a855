import type { LineWarning } from "./reference-file.ts";

interface NamedValue {
  name: string;
  value: string;
  subject_key: number;
  lineNumber: number;
}

/** Minimum length of compared values, because short ones are often codes. */
const minLength = 5;
/** Minimum number of entities that share a suggested value. */
const minThings = 3;

/** Finds values that only one entity has and that differ in one letter from a value of several entities. */
export function findMisspelled(rows: readonly NamedValue[]): LineWarning[] {
  const things = new Map<string, Map<string, Set<number>>>();
  for (const { name, value, subject_key: key } of rows) {
    if (value.length < minLength || /\d/.test(value)) continue;
    const values = things.get(name) ?? new Map<string, Set<number>>();
    things.set(name, values.set(value, (values.get(value) ?? new Set()).add(key)));
  }
  const usual = new Map(
    [...things].map(([name, values]) => [
      name,
      [...values]
        .filter(([, keys]) => keys.size >= minThings)
        .map(([value]) => ({ value, lower: value.toLowerCase() })),
    ]),
  );
  return rows.flatMap(({ name, value, lineNumber }) => {
    if (things.get(name)?.get(value)?.size !== 1) return [];
    const lower = value.toLowerCase();
    const meant = usual.get(name)?.find((other) => isOneEdit(lower, other.lower));
    return meant ? [{ lineNumber, message: `${name} "${value}" may be "${meant.value}".` }] : [];
  });
}

/** Returns true if one letter is added, removed, replaced or swapped with its neighbour. */
function isOneEdit(a: string, b: string): boolean {
  // Skips most pairs here, which saves time with thousands of values.
  if (Math.abs(a.length - b.length) > 1 || (a[0] !== b[0] && a.at(-1) !== b.at(-1))) return false;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length === 2) return left === `${right[1]}${right[0]}`;
  return left !== right && left.length <= 1 && right.length <= 1;
}
