import { type Data, makeData, Utf8 } from "apache-arrow";

/** Different texts, each kept once, numbered as they come. */
export class TextDictionary {
  #size = 0;
  /** Where each text ends in `#bytes`; where it begins, one place before. */
  #ends = new Int32Array(1024);
  #bytes = new Uint8Array(1 << 14);
  #hashes = new Int32Array(1023);
  /** An open hash table of text numbers + 1; 0 is a free place. Its size is a power of 2, twice what is in it or more. */
  #table = new Int32Array(2048);

  get byteLength(): number {
    return this.#ends[this.#size] ?? 0;
  }

  /** The number of a text, given as UTF-8 from `start` to before `end`. */
  numberOf(source: Uint8Array, start: number, end: number): number {
    const hash = hashOf(source, start, end);
    const mask = this.#table.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const number = (this.#table[place] ?? 0) - 1;
      if (number < 0) return this.#add(source, start, end, hash, place);
      if (this.#hashes[number] === hash && this.#is(number, source, start, end)) return number;
    }
  }

  #is(number: number, source: Uint8Array, start: number, end: number): boolean {
    const ownStart = this.#ends[number] ?? 0;
    if ((this.#ends[number + 1] ?? 0) - ownStart !== end - start) return false;
    const bytes = this.#bytes;
    for (let index = start, own = ownStart; index < end; index += 1, own += 1) {
      if (bytes[own] !== source[index]) return false;
    }
    return true;
  }

  #add(source: Uint8Array, start: number, end: number, hash: number, place: number): number {
    const number = this.#size;
    const used = this.byteLength;
    while (used + end - start > this.#bytes.length) this.#bytes = doubled(this.#bytes);
    this.#bytes.set(source.subarray(start, end), used);
    this.#size += 1;
    this.#ends[this.#size] = used + end - start;
    this.#hashes[number] = hash;
    this.#table[place] = number + 1;
    if (this.#size === this.#hashes.length) this.#grow();
    return number;
  }

  #grow(): void {
    const hashes = new Int32Array(this.#hashes.length * 2 + 1);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#ends = doubled(this.#ends);
    const mask = this.#table.length * 2 - 1;
    this.#table = new Int32Array(mask + 1);
    for (let number = 0; number < this.#size; number += 1) {
      let place = (hashes[number] ?? 0) & mask;
      while (this.#table[place] !== 0) place = (place + 1) & mask;
      this.#table[place] = number + 1;
    }
  }

  /** All of them as an Arrow column, in the order of their numbers. */
  finish(): Data<Utf8> {
    return makeData({
      type: new Utf8(),
      length: this.#size,
      nullCount: 0,
      valueOffsets: this.#ends.subarray(0, this.#size + 1),
      data: this.#bytes.subarray(0, this.byteLength),
    });
  }
}

/** FNV-1a. */
function hashOf(source: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (source[index] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}

function doubled<Values extends Int32Array | Uint8Array>(values: Values): Values {
  const larger = new (values.constructor as new (length: number) => Values)(values.length * 2);
  larger.set(values);
  return larger;
}
