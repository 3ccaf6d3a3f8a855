import { z } from "zod";

// The service mixes numbers and numeric text, omits unknown values, and adds fields over time. Records in a
// list require only the fields that identify them, so that a missing name does not reject a list.

/** An integer, given as a number or as text. At most 2^53 - 1, so that it is exact. */
export const wholeNumber = z.preprocess(
  (value) => (typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value),
  z.int(),
);

/** A number, given as a number or as text. */
export const decimalNumber = z.preprocess(
  (value) => (typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value),
  z.number(),
);

/** Text, or a number converted to text. An integer beyond 2^53 is rejected, because it has lost digits. */
export const text = z.preprocess(
  (value) => (typeof value === "number" && isExact(value) ? String(value) : value),
  z.string(),
);

/** An id as text, without blanks and leading zeros, because it is a number in requests. */
export const idText = text.transform((id) => /^\s*0*(\d+)\s*$/.exec(id)?.[1] ?? id);

function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || !Number.isInteger(value);
}

// Optional fields are read leniently, so that a malformed one does not reject its record.

/** Text, or null. Other values are converted to JSON, which is rejected later if it should be a date or rule. */
export const maybeText = z
  .preprocess((value) => {
    if (typeof value === "string") return value;
    if (typeof value === "number") return isExact(value) ? String(value) : null;
    return isEmptyValue(value) ? null : JSON.stringify(value);
  }, z.string().nullish())
  .nullish();

/** An integer, or null for anything else. */
export const maybeWholeNumber = z
  .preprocess((value) => wholeNumber.safeParse(value).data, wholeNumber.nullish())
  .nullish();

/** A number, or null for anything else. */
export const maybeNumber = z
  .preprocess((value) => decimalNumber.safeParse(value).data, decimalNumber.nullish())
  .nullish();

/** A nested record, or null for anything else. */
export function maybeRecord<Item>(record: z.ZodType<Item>) {
  return z.preprocess((value) => (isObject(value) ? value : null), record.nullish()).nullish();
}

/** A nested list, or null. Some services write lists as objects keyed by index. */
export function maybeList<Item>(item: z.ZodType<Item>) {
  return z
    .preprocess((value) => {
      if (value === "" || value === false) return null;
      return isObject(value) ? Object.values(value) : value;
    }, z.array(item).nullish())
    .nullish();
}

/** Returns true for values that some services use for "unknown": null, false, and empty lists and objects. */
export function isEmptyValue(value: unknown): boolean {
  return (
    value === false || (typeof value === "object" && (value === null || Object.keys(value).length === 0))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
