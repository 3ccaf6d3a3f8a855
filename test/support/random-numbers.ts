/** Repeatable random integers: each call returns one from 0 up to, excluding, `n`. */
export function randomNumbers(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}
