/** Lines by their hashes, in the service's order. */
type Hashes = readonly number[];

/**
 * What lies between a page and the one before it:
 *
 * - `repeats`: so many of its first records were read already, because records came in before them; often 0
 * - `suspect`: records may be missing or doubled: read again from so many records before
 */
export type Drift = { repeats: number } | { suspect: number };

/** How many records more than necessary are read again, to find the place. */
const contextRecords = 10;

/**
 * Compares a page with what was read before it. Records that come in shift the others, so they show as a total that
 * changed, or as records that come twice.
 * @param before the last records that were read, and the total that was told with them
 */
export function findDrift(
  before: { tail: Hashes; total: number },
  page: { hashes: Hashes; total: number; offset: number },
): Drift {
  if (page.hashes.length === 0 && page.offset < page.total) return { suspect: contextRecords };
  if (before.tail.length === 0) return { repeats: 0 };
  const grown = page.total - before.total;
  if (grown < 0) return { suspect: contextRecords - grown };
  const repeats = countRepeats(before.tail, page.hashes);
  // The same line twice can also be what the service holds.
  return repeats > 0 && grown === 0 ? { suspect: contextRecords } : { repeats };
}

/** How many records at the beginning of a page are those at the end of what was read before. */
function countRepeats(tail: Hashes, hashes: Hashes): number {
  for (let count = Math.min(tail.length, hashes.length); count > 0; count -= 1) {
    if (hashes.slice(0, count).every((hash, index) => hash === tail[tail.length - count + index]))
      return count;
  }
  return 0;
}

/**
 * Where in a page that was read again what was read before ends: the index of the first record that is new.
 * @param expected where it would be if nothing had shifted
 */
export function findContinuation(tail: Hashes, hashes: Hashes, expected: number): number | undefined {
  const candidates = hashes
    .map((_hash, index) => index + 1)
    .filter((index) => endsAlike(tail, hashes.slice(0, index)))
    .sort((left, right) => Math.abs(left - expected) - Math.abs(right - expected));
  return candidates[0];
}

/** Whether two lists end in the same records, as far as both go; three are proof enough. */
function endsAlike(left: Hashes, right: Hashes): boolean {
  const count = Math.min(3, left.length, right.length);
  if (count === 0) return false;
  for (let back = 1; back <= count; back += 1) {
    if (left[left.length - back] !== right[right.length - back]) return false;
  }
  return true;
}
