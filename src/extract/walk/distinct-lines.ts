import type { Kind } from "../../util/kind.ts";
import type { WalkFile } from "./walk-file.ts";
import { hashText, toWalkRecord, type WalkRecord } from "./walk-record.ts";

/** Counts the distinct records of a walk. For unordered records, the count is the only proof of completeness. */
export class DistinctLines {
  readonly #kind: Kind;
  readonly #file: WalkFile;
  /** Read from the file when first needed, because the set is large for millions of records. */
  #records: HashSet | undefined;
  #lines: HashSet | undefined;

  /** @param file contains the lines of the earlier pages */
  constructor(kind: Kind, file: WalkFile) {
    this.#kind = kind;
    this.#file = file;
  }

  /** Adds records that are not in the file yet, and returns those whose lines are new. */
  async add(records: readonly WalkRecord[]): Promise<WalkRecord[]> {
    this.#lines ??= await this.#read(addLine);
    const [lines, counted] = [this.#lines, this.#records];
    const fresh = records.filter((record) => addLine(lines, record));
    if (counted) for (const record of fresh) addRecord(counted, record);
    return fresh;
  }

  async count(): Promise<number> {
    this.#records ??= await this.#read(addRecord);
    return this.#records.size;
  }

  async #read(add: (set: HashSet, record: WalkRecord) => void): Promise<HashSet> {
    const set = new HashSet();
    for await (const line of this.#file.lines()) add(set, toWalkRecord(this.#kind, JSON.parse(line)));
    return set;
  }
}

function addLine(lines: HashSet, { hash }: WalkRecord): boolean {
  return lines.add(hash);
}

/** Adds a play by identity, because the duration in its line may grow. Any other record's identity is its line. */
function addRecord(records: HashSet, { identity }: WalkRecord): void {
  records.add(hashText(identity));
}

/**
 * A set of non-negative integers that takes 11 to 22 bytes per value, because a zone can have millions of
 * records.
 */
export class HashSet {
  #slots = new Float64Array(1024).fill(-1);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns `false` if the value is already in the set. */
  add(value: number): boolean {
    if (!insertValue(this.#slots, value)) return false;
    this.#size += 1;
    if (this.#size * 4 <= this.#slots.length * 3) return true;
    const larger = new Float64Array(this.#slots.length * 2).fill(-1);
    for (const slot of this.#slots) if (slot >= 0) insertValue(larger, slot);
    this.#slots = larger;
    return true;
  }
}

/** Puts a value into its slot or the next free one. Returns `false` if the value is already there. */
function insertValue(slots: Float64Array, value: number): boolean {
  let index = value % slots.length;
  while (slots[index] !== -1) {
    if (slots[index] === value) return false;
    index = (index + 1) % slots.length;
  }
  slots[index] = value;
  return true;
}
