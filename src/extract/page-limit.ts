/**
 * Page sizes to request, largest first. The next one is requested if the service refuses a size, because it
 * does not document a maximum.
 */
const requestedPageSizes = [1000, 500, 200, 100];
/**
 * After refusals for this many zones, no zone requests a size any more, unless the service has accepted that
 * size for some zone.
 */
const refusalsForAll = 2;

/** Chooses page sizes. After a refusal, the zone requests a smaller size. After enough refusals, all zones do. */
export class PageLimit {
  #forAll = requestedPageSizes[0];
  /** Sizes refused for each zone. */
  readonly #refused = new Map<string, number[]>();
  /** Zones, keyed by size, for which the service refused that size and then accepted a smaller one. */
  readonly #confirmedRefusals = new Map<number, Set<string>>();
  readonly #given = new Set<number>();

  /** Returns the size to request; `undefined` to let the service choose. */
  sizeFor(zone: string): number | undefined {
    const last = this.#refused.get(zone)?.at(-1);
    return last === undefined ? this.#forAll : findSmallerSize(last);
  }

  /** Records that the service accepts requests for pages of this size. */
  recordSize(zone: string, records: number | undefined): void {
    if (records !== undefined) this.#given.add(records);
    for (const refused of this.#refused.get(zone) ?? []) {
      this.#confirmedRefusals.set(refused, (this.#confirmedRefusals.get(refused) ?? new Set()).add(zone));
    }
    while (this.#forAll !== undefined && this.#isRefusedForAll(this.#forAll)) {
      this.#forAll = findSmallerSize(this.#forAll);
    }
  }

  /** Records that the service refused this size. Returns true if a smaller size is left to request. */
  recordRefusal(zone: string, requested: number | undefined): boolean {
    const refused = this.#refused.get(zone) ?? [];
    const smallest =
      requested === undefined ? undefined : requestedPageSizes.findLast((records) => records >= requested);
    const hasSmaller = smallest !== undefined && smallest !== refused.at(-1);
    if (hasSmaller) this.#refused.set(zone, [...refused, smallest]);
    else this.#refused.delete(zone);
    return hasSmaller;
  }

  #isRefusedForAll(records: number): boolean {
    return (this.#confirmedRefusals.get(records)?.size ?? 0) >= refusalsForAll && !this.#given.has(records);
  }
}

function findSmallerSize(records: number): number | undefined {
  return requestedPageSizes.find((fewer) => fewer < records);
}
