import type { Kind } from "../../util/kind.ts";
import type { CalendarDay } from "./calendar-day.ts";
import { LineWriter } from "./line-writer.ts";
import { linesOfPlays, type PlayLine } from "./play-lines.ts";
import { playsOfDay } from "./plays-of-day.ts";
import { Random } from "./random.ts";
import type { WorldPlan } from "./world-plan.ts";
import type { Zone } from "./zone.ts";

/** In which order pages list records. The service documents none. */
export const historyOrders = ["newest", "oldest", "unsorted"] as const;
export type HistoryOrder = (typeof historyOrders)[number];

export interface HistoryQuery {
  kind: Kind;
  zone: Zone;
  atMs: number;
  order: HistoryOrder;
}

export interface HistoryPage {
  totalCount: number;
  /** JSON objects. */
  records: string[];
}

/** How many zones' days stay counted: a walk asks for page after page of one zone. */
const rememberedCounts = 64;

/** Pages of a zone's history. Holds one day's records at a time, and a number per day. */
export class HistoryPages {
  readonly #plan: WorldPlan;
  readonly #counts = new Map<string, Uint32Array>();

  constructor(plan: WorldPlan) {
    this.#plan = plan;
  }

  read(query: HistoryQuery, offset: number, limit: number): HistoryPage {
    const counts = this.#countsPerDay(query);
    const writer = new LineWriter(query.zone);
    const records: string[] = [];
    let toSkip = offset;
    for (const day of this.#daysInOrder(query)) {
      const count = counts[day - this.#plan.firstDay] ?? 0;
      if (toSkip < count) {
        const wanted = this.#linesInOrder(query, day).slice(toSkip, toSkip + limit - records.length);
        for (const line of wanted) records.push(writer.write(line));
        if (records.length === limit) break;
      }
      toSkip = Math.max(0, toSkip - count);
    }
    return { totalCount: counts.reduce((sum, count) => sum + count, 0), records };
  }

  #countsPerDay(query: HistoryQuery): Uint32Array {
    const key = `${query.kind} ${query.zone.zoneId} ${query.atMs}`;
    const known = this.#counts.get(key);
    if (known) return known;
    const counts = Uint32Array.from(
      { length: this.#plan.days },
      (_, index) => this.#lines(query, this.#plan.firstDay + index).length,
    );
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size < rememberedCounts) break;
      this.#counts.delete(oldest);
    }
    this.#counts.set(key, counts);
    return counts;
  }

  #lines({ kind, zone, atMs }: HistoryQuery, day: CalendarDay): PlayLine[] {
    return linesOfPlays(playsOfDay(this.#plan, kind, zone, day), atMs);
  }

  #daysInOrder({ zone, order }: HistoryQuery): CalendarDay[] {
    const { seed, firstDay, days } = this.#plan;
    const inOrder = Array.from({ length: days }, (_, index) => firstDay + index);
    if (order === "newest") return inOrder.reverse();
    if (order === "oldest") return inOrder;
    return shuffled(inOrder, (day) => new Random(seed, "order", zone.zoneId, day).fraction());
  }

  #linesInOrder(query: HistoryQuery, day: CalendarDay): PlayLine[] {
    const lines = this.#lines(query, day).sort(
      (left, right) => left.play.startedAtMs - right.play.startedAtMs,
    );
    if (query.order === "newest") return lines.reverse();
    if (query.order === "oldest") return lines;
    return shuffled(lines, ({ play }) => new Random(this.#plan.seed, "order", play.startedAtMs).fraction());
  }
}

function shuffled<T>(items: readonly T[], keyOf: (item: T) => number): T[] {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item);
}
