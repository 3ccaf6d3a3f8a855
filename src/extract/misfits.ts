import type { ListInput } from "../api/endpoints/inputs.ts";
import type { UnexpectedResponseError } from "../api/errors.ts";
import { countOf } from "../util/text/words.ts";

/** Records that are not as documented. They land as JSON texts, which the load rejects and counts. */
export class Misfits {
  readonly lines: string[] = [];
  /** Where each differs. */
  readonly #places: string[] = [];

  /** Where something was left out of those that are taken. */
  readonly #leftOut: string[] = [];
  readonly #repair: ((record: unknown) => object | undefined) | undefined;

  #first: UnexpectedResponseError | undefined;

  /** @param repair what of a record can be taken, if anything */
  constructor(repair?: (record: unknown) => object | undefined) {
    this.#repair = repair;
  }

  readonly onMisfit: NonNullable<ListInput["onMisfit"]> = (record, error) => {
    const place = error.recordPath ?? "the whole record";
    const repaired = this.#repair?.(record);
    if (repaired) {
      this.#leftOut.push(place);
      return repaired;
    }
    this.lines.push(JSON.stringify(JSON.stringify(record)));
    this.#places.push(place);
    this.#first ??= error;
    return undefined;
  };

  /** @throws {UnexpectedResponseError} where there are any: to be asked where nothing else was listed */
  refuse(): void {
    if (this.#first) throw this.#first;
  }

  get count(): number {
    return this.lines.length;
  }

  /** What there is to say of them, if anything. */
  describe(): string[] {
    const leftOut = this.#leftOut.length;
    const records = this.count === 1 ? "1 record is" : `${this.count} records are`;
    return [
      ...(this.count > 0 ? [`${records} not as documented, and rejected: ${some(this.#places)}`] : []),
      ...(leftOut > 0
        ? [
            `of ${countOf(leftOut, "record")} a part is not as documented, and left out: ${some(this.#leftOut)}`,
          ]
        : []),
    ];
  }
}

function some(places: readonly string[]): string {
  return `${places.slice(0, 3).join(", ")}${places.length > 3 ? " …" : ""}`;
}
