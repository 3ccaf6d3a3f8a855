/** Page sizes to request, with fallbacks after refusals. The service documents no maximum. */
const requestedPageSizes = [1000, 500, 200, 100];
/** Refusals by this many zones count for all, unless any zone was given a page of that size. */
const enoughRefusals = 2;

/** Page sizes: a zone that was refused a size requests a smaller one; after enough refusals, all do. */
export class PageLimit {
  #forAll = requestedPageSizes[0];
  /** Refused sizes, by zone. */
  readonly #refused = new Map<string, number[]>();
  /** Zones that were refused a size and then given a smaller page. */
  readonly #refusedTo = new Map<number, Set<string>>();
  readonly #given = new Set<number>();

  /** Returns the size to request; `undefined` to let the service choose. */
  of(zone: string): number | undefined {
    const last = this.#refused.get(zone)?.at(-1);
    return last === undefined ? this.#forAll : fewerThan(last);
  }

  /** Records that the service returned a page of this requested size. */
  give(zone: string, records: number | undefined): void {
    if (records !== undefined) this.#given.add(records);
    for (const refused of this.#refused.get(zone) ?? []) {
      this.#refusedTo.set(refused, (this.#refusedTo.get(refused) ?? new Set()).add(zone));
    }
    while (this.#forAll !== undefined && this.#isRefusedToAll(this.#forAll)) {
      this.#forAll = fewerThan(this.#forAll);
    }
  }

  /** Records a refusal of this size; returns true if there is a smaller one to request. */
  refuse(zone: string, asked: number | undefined): boolean {
    const refused = this.#refused.get(zone) ?? [];
    const least =
      asked === undefined ? undefined : requestedPageSizes.findLast((records) => records >= asked);
    const isFewer = least !== undefined && least !== refused.at(-1);
    if (isFewer) this.#refused.set(zone, [...refused, least]);
    else this.#refused.delete(zone);
    return isFewer;
  }

  #isRefusedToAll(records: number): boolean {
    return (this.#refusedTo.get(records)?.size ?? 0) >= enoughRefusals && !this.#given.has(records);
  }
}

function fewerThan(records: number): number | undefined {
  return requestedPageSizes.find((fewer) => fewer < records);
}
