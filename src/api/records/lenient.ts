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

function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || !Number.isInteger(value);
}
