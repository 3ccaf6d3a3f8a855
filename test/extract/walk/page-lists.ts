import { Random } from "../../../src/emulator/world/random.ts";
import type { PageRequest } from "./page-server.ts";

export type Play = Record<string, unknown>;
/** Maximum page size of these services. */
export const clamp = 25;

export function slice(list: readonly Play[], { offset, limit }: PageRequest): Play[] {
  return list.slice(offset, offset + Math.min(limit, clamp));
}

export function numbersOf(list: readonly Play[]): number[] {
  return list.map(({ song_id }) => song_id as number).sort((left, right) => left - right);
}

export function sorted(numbers: Iterable<number>): number[] {
  return [...numbers].sort((left, right) => left - right);
}

/** An order determined by the seed. */
export function shuffled<Item>(list: readonly Item[], seed: number): Item[] {
  const random = new Random(seed, "shuffled");
  return list
    .map((item) => ({ item, key: random.between(0, 1e9) }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item);
}

export function byStart(list: readonly Play[]): Play[] {
  return list.toSorted((left, right) =>
    (left.play_start as string) < (right.play_start as string) ? -1 : 1,
  );
}
