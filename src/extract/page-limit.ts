/** Page sizes to request, with fallbacks after refusals. The service documents no maximum. */
const requestedPageSizes = [1000, 500, 200, 100];
/** Refusals by this many zones count for all, unless any zone was given a page of that size. */
const refusalsForAll = 2;

/** Page sizes: a zone that was refused a size requests a smaller one; after enough refusals, all do. */
export class PageLimit {
  #forAll = requestedPageSizes[0];
  /** Refused sizes, by zone. */
  readonly #refused = new Map<string, number[]>();
  /** Zones that were refused a size and then given a smaller page. */
  readonly #confirmedRefusals = new Map<number, Set<string>>();
  readonly #given = new Set<number>();

  /** Returns the size to request; `undefined` to let the service choose. */
  sizeFor(zone: string): number | undefined {
    const last = this.#refused.get(zone)?.at(-1);
    return last === undefined ? this.#forAll : findSmallerSize(last);
  }

  /** Records that the service returned a page of this requested size. */
  recordSize(zone: string, records: number | undefined): void {
    if (records !== undefined) this.#given.add(records);
    for (const refused of this.#refused.get(zone) ?? []) {
      this.#confirmedRefusals.set(refused, (this.#confirmedRefusals.get(refused) ?? new Set()).add(zone));
    }
    while (this.#forAll !== undefined && this.#isRefusedForAll(this.#forAll)) {
      this.#forAll = findSmallerSize(this.#forAll);
    }
  }

  /** Records a refusal of this size; returns true if there is a smaller one to request. */
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
