/** A set of numbers, whole and not negative, in 11 to 22 bytes each: a zone can have millions of records. */
export class HashSet {
  #slots = new Float64Array(1024).fill(-1);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** `false` where it is there already. */
  add(value: number): boolean {
    if (!place(this.#slots, value)) return false;
    this.#size += 1;
    if (this.#size * 4 <= this.#slots.length * 3) return true;
    const larger = new Float64Array(this.#slots.length * 2).fill(-1);
    for (const slot of this.#slots) if (slot >= 0) place(larger, slot);
    this.#slots = larger;
    return true;
  }
}

/** Puts a value into the first free slot from its own on; `false` where it stands already. */
function place(slots: Float64Array, value: number): boolean {
  let index = value % slots.length;
  while (slots[index] !== -1) {
    if (slots[index] === value) return false;
    index = (index + 1) % slots.length;
  }
  slots[index] = value;
  return true;
}
