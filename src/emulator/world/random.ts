/**
 * Random numbers that depend only on a key, so that any part of the world can be generated independently. Not
 * for secrets.
 */
export class Random {
  readonly #key: number;
  #count = 0;

  constructor(...key: readonly (number | string)[]) {
    this.#key = key.reduce<number>((hash, part) => mix(hash ^ hashPart(part)), 0x2545f491);
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    this.#count = (this.#count + 0x9e3779b9) | 0;
    return (mix(this.#key ^ mix(this.#count)) >>> 0) / 0x1_0000_0000;
  }

  /** Returns an integer in a range, both ends inclusive. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** Returns true with this probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.fraction() * choices.length)];
    if (choice === undefined) throw new RangeError("The list to pick from is empty.");
    return choice;
  }
}

function hashPart(part: number | string): number {
  if (typeof part === "number") return mix(part | 0) ^ Math.floor(part / 0x1_0000_0000);
  let hash = 0x811c9dc5;
  for (let index = 0; index < part.length; index += 1) {
    hash = Math.imul(hash ^ part.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** The finalizer of MurmurHash3: each input bit changes about half of the output bits. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A name and, after a renaming, the new name. */
export interface Naming {
  name: string;
  renamed?: { name: string; atMs: number };
}

/** Returns the name at an instant. Use the play's instant for history lines, and the request's for listings. */
export function nameAt({ name, renamed }: Naming, instantMs: number): string {
  return renamed && instantMs >= renamed.atMs ? renamed.name : name;
}
