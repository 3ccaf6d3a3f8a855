import { HashSet } from "./hash-set.ts";
import type { WalkFile } from "./walk-file.ts";
import { hashText, type WalkRecord } from "./walk-record.ts";

/** Counts the distinct lines of an unsorted zone: only they prove that every record was seen. */
export class DistinctLines {
  readonly #file: WalkFile;
  #seen: HashSet | undefined;

  /** @param file holds the lines of the pages before */
  constructor(file: WalkFile) {
    this.#file = file;
  }

  /** To be called before the records are written. */
  async add(records: readonly WalkRecord[]): Promise<void> {
    const seen = await this.#open();
    for (const { hash } of records) seen.add(hash);
  }

  async count(): Promise<number> {
    return (await this.#open()).size;
  }

  /** After a restart, or where the order broke late, the lines so far are read from the file. */
  async #open(): Promise<HashSet> {
    if (!this.#seen) {
      this.#seen = new HashSet();
      for await (const line of this.#file.lines()) this.#seen.add(hashText(line));
    }
    return this.#seen;
  }
}
