import type { ListInput } from "../api/endpoints/inputs.ts";
import type { UnexpectedResponseError } from "../api/errors/unexpected-response-error.ts";

/** Records that are not as documented. They land as JSON texts, which the load rejects and counts. */
export class Misfits {
  readonly lines: string[] = [];
  /** Where each differs. */
  readonly #places: string[] = [];

  #first: UnexpectedResponseError | undefined;

  readonly onMisfit: NonNullable<ListInput["onMisfit"]> = (record, error) => {
    this.lines.push(JSON.stringify(JSON.stringify(record)));
    this.#places.push(error.recordPath ?? "the whole record");
    this.#first ??= error;
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
    if (this.count === 0) return [];
    const records = this.count === 1 ? "1 record is" : `${this.count} records are`;
    const more = this.count > 3 ? " …" : "";
    return [`${records} not as documented, and rejected: ${this.#places.slice(0, 3).join(", ")}${more}`];
  }
}
