import type { Kind } from "../../util/kind.ts";
import { HashSet } from "./hash-set.ts";
import type { WalkFile } from "./walk-file.ts";
import { hashText, toWalkRecord, type WalkRecord } from "./walk-record.ts";

/** Counts the distinct plays of a walk: where the order proves nothing, only they prove that every record was seen. */
export class DistinctLines {
  readonly #kind: Kind;
  readonly #file: WalkFile;
  #seen: { plays: HashSet; lines: HashSet } | undefined;

  /** @param file holds the lines of the pages before */
  constructor(kind: Kind, file: WalkFile) {
    this.#kind = kind;
    this.#file = file;
  }

  /** Takes further records, and answers those whose lines are new. */
  async add(records: readonly WalkRecord[]): Promise<WalkRecord[]> {
    const seen = await this.#open();
    return records.filter((record) => add(seen, record));
  }

  /** Records that tell of no play don't count. */
  async count(): Promise<number> {
    return (await this.#open()).plays.size;
  }

  /** The first time, the lines so far are read from the file. */
  async #open(): Promise<{ plays: HashSet; lines: HashSet }> {
    if (!this.#seen) {
      this.#seen = { plays: new HashSet(), lines: new HashSet() };
      for await (const line of this.#file.lines()) {
        add(this.#seen, toWalkRecord(this.#kind, JSON.parse(line)));
      }
    }
    return this.#seen;
  }
}

/** A play counts by what it is about: one whose duration grew is still the same. */
function add(
  { plays, lines }: { plays: HashSet; lines: HashSet },
  { isPlay, identity, hash }: WalkRecord,
): boolean {
  if (isPlay) plays.add(hashText(identity));
  return lines.add(hash);
}
