import { z } from "zod";

// The service mixes numbers and numeric text, leaves out what it does not know, and adds fields over time. Of a record that
// stands in a list only what tells it from others is required: no list is refused for want of a name.

/** A whole number, written as a number or as text. Exact: at most 2^53 - 1. */
export const wholeNumber = z.preprocess(
  (value) => (typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value),
  z.int(),
);

/** A number, written as a number or as text. */
export const decimalNumber = z.preprocess(
  (value) => (typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value),
  z.number(),
);

/** A text, or a number that stands for one. A whole number beyond 2^53 has lost digits: it stands for nothing. */
export const text = z.preprocess(
  (value) => (typeof value === "number" && isExact(value) ? String(value) : value),
  z.string(),
);

/** A text that is an id: a number in requests, so blanks and zeros before it say nothing. */
export const idText = text.transform((id) => /^\s*0*(\d+)\s*$/.exec(id)?.[1] ?? id);

function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || !Number.isInteger(value);
}

// What a record of a list need not say is taken as far as it can be read: no record is refused for it.

/** A text, or nothing. Anything else stands for its JSON: so who reads a date or a rule sees that it is none. */
export const maybeText = z
  .preprocess((value) => {
    if (typeof value === "string") return value;
    if (typeof value === "number") return isExact(value) ? String(value) : null;
    return saysNothing(value) ? null : JSON.stringify(value);
  }, z.string().nullish())
  .nullish();

/** A whole number, or nothing; what is none counts as nothing. */
export const maybeWholeNumber = z
  .preprocess((value) => wholeNumber.safeParse(value).data, wholeNumber.nullish())
  .nullish();

/** A number, or nothing; what is none counts as nothing. */
export const maybeNumber = z
  .preprocess((value) => decimalNumber.safeParse(value).data, decimalNumber.nullish())
  .nullish();

/** A record within another one, or nothing; what is none counts as nothing. */
export function maybeRecord<Item>(record: z.ZodType<Item>) {
  return z.preprocess((value) => (isObject(value) ? value : null), record.nullish()).nullish();
}

/** A list within a record, or nothing. Some write lists as objects, by place. */
export function maybeList<Item>(item: z.ZodType<Item>) {
  return z
    .preprocess((value) => {
      if (value === "" || value === false) return null;
      return isObject(value) ? Object.values(value) : value;
    }, z.array(item).nullish())
    .nullish();
}

/** Some write so what they don't know. */
export function saysNothing(value: unknown): boolean {
  return (
    value === false || (typeof value === "object" && (value === null || Object.keys(value).length === 0))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
