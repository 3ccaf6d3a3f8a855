/** Returns the word that was probably meant; `undefined` if none is close. */
export function findClosestWord(typed: string, words: readonly string[]): string | undefined {
  const text = typed.toLowerCase();
  const ranked = words
    // Skips words of very different length, because comparing long text with thousands of names takes seconds.
    .filter((word) => Math.abs(word.length - text.length) <= countAllowedEdits(word))
    .map((word) => ({ word, distance: editDistance(text, word.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= countAllowedEdits(best.word) ? best.word : undefined;
}

/** Allows one wrong letter in three. With more, a different word was probably meant. */
function countAllowedEdits(word: string): number {
  return Math.max(1, Math.floor(word.length / 3));
}

/** Returns the minimum number of letters to add, remove, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        substitution,
        isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** Formats a count with its noun, e.g. `1 request`, `2 requests`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a duration, e.g. `45 s`, `12 min`, `3.4 h`, `5.2 days`. */
export function formatDuration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 100 * 3600 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`;
}

/** Parses a positive age in hours, minutes or days, e.g. `26h`, `90m` or `2d`, into hours. */
export function parseHours(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,5})([hmd])$/.exec(text) ?? [];
  const hours = Number(number) * (unit === "d" ? 24 : unit === "m" ? 1 / 60 : 1);
  return hours > 0 ? hours : undefined;
}
