import { expect } from "vitest";
import { Random } from "../../../src/emulator/world/random.ts";
import { itEachLimited } from "../../support/long-suite.ts";
import { type PageAnswer, type PageRequest, play, servePages } from "./page-server.ts";

/** Faults of a service, drawn from a seed. */
interface Faults {
  order: "newest" | "oldest" | "unsorted";
  /** Maximum records per page. */
  clamp: number;
  /** Plays that begin at one instant, in a different order with each request. */
  ties: number;
  /** Percentage of pages with a wrong total. */
  wrongTotals: number;
  /** Percentage of pages whose last record is repeated. */
  repeats: number;
  /** Percentage of requests preceded by a new or late play. */
  growth: number;
}

function drawFaults(random: Random): Faults {
  return {
    order: random.pick(["newest", "newest", "oldest", "oldest", "unsorted"] as const),
    clamp: random.between(5, 40),
    ties: random.pick([1, 1, 2, 3]),
    wrongTotals: random.pick([0, 0, 30]),
    repeats: random.pick([0, 0, 10]),
    growth: random.pick([0, 10, 30]),
  };
}

/** Zones stop growing at this size while they are read. */
const largest = 400;

/** A growing zone, as shown by a service with these faults. */
class OddZone {
  readonly all: { song_id: number; startSecs: number }[] = [];
  readonly #random: Random;
  readonly #faults: Faults;

  constructor(random: Random, faults: Faults) {
    this.#random = random;
    this.#faults = faults;
    for (let count = random.between(100, 300); count > 0; count -= 1) this.append();
  }

  append(): void {
    this.#add(Math.floor(this.all.length / this.#faults.ties) * 100);
  }

  addLate(): void {
    this.#add(this.#random.between(0, this.all.length) * 70 + 1);
  }

  answer = ({ offset, limit }: PageRequest): PageAnswer => {
    const { clamp, wrongTotals, repeats, growth } = this.#faults;
    if (this.all.length < largest && this.#happens(growth)) this.append();
    if (this.all.length < largest && this.#happens(growth / 4)) this.addLate();
    const page = this.#listed().slice(offset, offset + Math.min(limit, clamp));
    const [last] = page.slice(-1);
    const data = page.map(({ song_id, startSecs }) => play(song_id, startSecs));
    if (last && this.#happens(repeats)) data.push(play(last.song_id, last.startSecs));
    const wrong = this.#happens(wrongTotals) ? this.#random.pick([-3, -2, -1, 1, 2, 3]) : 0;
    return { data, total: Math.max(0, this.all.length + wrong), pageSize: clamp };
  };

  #add(startSecs: number): void {
    this.all.push({ song_id: this.all.length, startSecs });
  }

  #listed(): { song_id: number; startSecs: number }[] {
    const { order } = this.#faults;
    const hash = ({ song_id }: { song_id: number }) => (song_id * 7919) % 10_007;
    if (order === "unsorted") return this.all.toSorted((left, right) => hash(left) - hash(right));
    const direction = order === "newest" ? -1 : 1;
    const keyed = this.all.map((one) => ({ ...one, key: this.#random.between(0, 1e6) }));
    return keyed.sort(
      (left, right) => direction * (left.startSecs - right.startSecs) || left.key - right.key,
    );
  }

  #happens(percent: number): boolean {
    return this.#random.chance(percent / 100);
  }
}

const seeds = Array.from({ length: 24 }, (_, index) => index + 1);

itEachLimited(
  seeds,
  2,
  6,
)("service %i: a walk reported as complete misses no play", async (seed) => {
  const random = new Random(seed, "odd service");
  const faults = drawFaults(random);
  const zone = new OddZone(random, faults);
  const served = await servePages(zone.answer);
  for (let walk = 0; walk < 5; walk += 1) {
    const before = zone.all.map(({ song_id }) => song_id);
    const { why } = await served.walk();
    const missing = before.filter((number) => !served.found.has(number));
    if (why === undefined) expect({ walk, faults, missing }).toEqual({ walk, faults, missing: [] });
    if (faults.wrongTotals + faults.repeats + faults.growth === 0) expect(why).toBeUndefined();
    for (let count = random.between(0, 60); count > 0; count -= 1) zone.append();
    for (let count = random.between(0, 2); count > 0; count -= 1) zone.addLate();
  }
});
