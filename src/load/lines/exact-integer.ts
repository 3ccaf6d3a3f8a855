/**
 * The integer that a JSON value stands for, exactly: a whole number (`77`, `77.0`, not `1e3`) or text of plain digits.
 * `undefined` where it stands for none; beyond 2^53 a number of that size.
 * @param json the value as written
 */
export function readExactInteger(json: string): number | undefined {
  const digits = json.startsWith('"')
    ? /^-?\d+$/.exec(JSON.parse(json))?.[0]
    : /^(-?\d+)(?:\.0+)?$/.exec(json)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
