import { countText } from "./people-text.ts";

/**
 * As a sentence lists things: `a, b and c`; of more than `most`, `a, b, c and 4 more`.
 * @param joint stands before the last
 */
export function listWords(
  words: readonly string[],
  joint: "and" | "or",
  most = Number.POSITIVE_INFINITY,
): string {
  const parts =
    words.length > most ? [...words.slice(0, most), `${countText(words.length - most)} more`] : words;
  const [last = "", ...before] = [...parts].reverse();
  return before.length === 0 ? last : `${before.reverse().join(", ")} ${joint} ${last}`;
}
