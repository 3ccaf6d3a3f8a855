import { displayWidth, truncate, truncateStart } from "./display-width.ts";

/** Maximum texts remembered per column. Beyond it, two texts may be shortened to the same label. */
const maxRemembered = 100_000;

type Cut = (text: string, width: number) => string;

/**
 * Returns a function that shortens texts to a width and keeps them distinct. It truncates the end; if known texts have
 * the same beginning, the middle; if they also have the same end, everything around the difference. As a last resort,
 * it adds a number.
 */
export function createDistinctShortener(
  width: number,
  known: Iterable<string> = [],
): (text: string) => string {
  const labels = new Map<string, string>();
  const texts = new Map<string, string>();
  const long = [...new Set(known)].filter((text) => displayWidth(text) > width);
  const sharedBeginnings = findShared(truncate, long, width);
  const sharedEnds = findShared(cutMiddle, long, width);

  const choose = (text: string): string => {
    const isFree = (label: string) => !texts.has(label);
    const beginning = truncate(text, width);
    if (isFree(beginning) && !sharedBeginnings.has(beginning)) return beginning;
    const ends = cutMiddle(text, width);
    if (isFree(ends) && !sharedEnds.has(ends)) return ends;
    const other = sharedEnds.get(ends)?.find((one) => one !== text) ?? texts.get(ends) ?? "";
    const free = [cutAround(text, other, width), truncateStart(text, width)].find(isFree);
    if (free !== undefined) return free;
    for (let number = 2; ; number += 1) {
      const mark = ` (${number})`;
      const label = `${truncate(text, Math.max(1, width - mark.length))}${mark}`;
      if (isFree(label)) return label;
    }
  };

  return (text) => {
    const chosen = labels.get(text);
    if (chosen !== undefined) return chosen;
    // A text that fits can only equal a shortened one if it contains an ellipsis itself.
    if (displayWidth(text) <= width && !text.includes("…")) return text;
    if (labels.size >= maxRemembered) return cutMiddle(text, width);
    const label = choose(text);
    labels.set(text, label);
    texts.set(label, text);
    return label;
  };
}

/** Returns labels that a cut produces for several texts, each with two of these texts. */
function findShared(cut: Cut, texts: readonly string[], width: number): Map<string, readonly string[]> {
  const first = new Map<string, string>();
  const shared = new Map<string, readonly string[]>();
  for (const text of texts) {
    const label = cut(text, width);
    const other = first.get(label);
    if (other === undefined) first.set(label, text);
    else shared.set(label, [other, text]);
  }
  return shared;
}

function cutMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const start = truncate(text, Math.ceil((width + 1) / 2));
  return `${start.slice(0, -1)}${truncateStart(text, width - displayWidth(start) + 1)}`;
}

/** Keeps the beginning of a text, and the part where it differs from another. */
function cutAround(text: string, other: string, width: number): string {
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  const start = truncate(text, Math.ceil(width / 3));
  const rest = text.slice(Math.max(start.length, same - 2));
  return `${start}${truncate(rest, Math.max(1, width - displayWidth(start)))}`;
}
