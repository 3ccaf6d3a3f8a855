/** Records that a page is asked for; fewer, step by step, where so many are refused. The service documents no greatest value. */
const askedRecords = [1000, 500, 200, 100];
/** Refusals of so many zones count for all, unless any zone was given such a page. */
const enoughRefusals = 2;

/** How many records pages are asked for: a zone that is refused so many asks for fewer; where others are too, all do. */
export class PageLimit {
  #forAll = askedRecords[0];
  /** Limits that zones were refused, by zone. */
  readonly #refused = new Map<string, number[]>();
  /** Zones that were refused a limit, and given a page with a smaller one. */
  readonly #refusedTo = new Map<number, Set<string>>();
  readonly #given = new Set<number>();

  /** `undefined`: as many as the service likes. */
  of(zone: string): number | undefined {
    const last = this.#refused.get(zone)?.at(-1);
    return last === undefined ? this.#forAll : fewerThan(last);
  }

  /** The service gave the zone a page for which so many were asked for. */
  give(zone: string, records: number | undefined): void {
    if (records !== undefined) this.#given.add(records);
    for (const refused of this.#refused.get(zone) ?? []) {
      this.#refusedTo.set(refused, (this.#refusedTo.get(refused) ?? new Set()).add(zone));
    }
    while (this.#forAll !== undefined && this.#isRefusedToAll(this.#forAll)) {
      this.#forAll = fewerThan(this.#forAll);
    }
  }

  /** It refused the zone so many; answers whether there is a smaller limit to ask for. */
  refuse(zone: string, asked: number | undefined): boolean {
    const refused = this.#refused.get(zone) ?? [];
    const least = asked === undefined ? undefined : askedRecords.findLast((records) => records >= asked);
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
  return askedRecords.find((fewer) => fewer < records);
}
