import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const asciiOnly = /^[\x20-\x7e]*$/;

/** Returns a line's width on a terminal, in columns: an ideograph takes two, an accent none. */
export function displayWidth(text: string): number {
  return asciiOnly.test(text) ? text.length : stringWidth(text);
}

export function truncate(text: string, width: number): string {
  if (asciiOnly.test(text)) return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
  // Only the beginning of a very long text is measured, because the rest is truncated anyway.
  const beginning = text.slice(0, width * 16 + 64);
  if (beginning === text && displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of graphemes.segment(beginning)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function truncateStart(text: string, width: number): string {
  if (asciiOnly.test(text))
    return text.length <= width ? text : `…${text.slice(text.length - Math.max(0, width - 1))}`;
  const end = text.slice(-(width * 16 + 64));
  if (end === text && displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of [...graphemes.segment(end)].reverse()) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept = segment + kept;
  }
  return `…${kept}`;
}

export function pad(text: string, width: number, alignRight: boolean): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return alignRight ? blanks + text : text + blanks;
}
