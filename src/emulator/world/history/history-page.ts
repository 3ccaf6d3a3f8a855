import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Kind } from "../../../util/kind.ts";
import type { HistoryOrder } from "../../options.ts";
import type { CalendarDay } from "../calendar-day.ts";
import { listDayPlays } from "../plays/day-plays.ts";
import type { Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";
import type { WorldPlan } from "../world-plan.ts";
import { formatLine, linesOfPlays, type PlayLine } from "./lines.ts";

export interface HistoryQuery {
  kind: Kind;
  zone: Zone;
  atMs: number;
  order: HistoryOrder;
  /** Number of hidden records: the newest or, in an unsorted history, the first. @default 0 */
  hiddenCount?: number | undefined;
}

export interface HistoryPage {
  totalCount: number;
  /** JSON objects as text. */
  records: string[];
}

const sizeCalculation = ({ length }: ArrayLike<unknown>) => Math.max(1, length);

/** Pages of a zone's history. Caches the records of a few days, and a count per zone and day. */
export class HistoryPages {
  readonly #plan: WorldPlan;
  /**
   * Large enough for walks, which request many pages of one zone, and for plans, which request one page of each
   * zone.
   */
  readonly #counts = new LRUCache<string, Uint32Array>({ maxSize: 2_000_000, sizeCalculation });
  /** Complete days, because consecutive pages of a busy zone are often on the same day. */
  readonly #days = new LRUCache<string, PlayLine[]>({ maxSize: 60_000, sizeCalculation });

  constructor(plan: WorldPlan) {
    this.#plan = plan;
  }

  async read(query: HistoryQuery, offset: number, limit: number): Promise<HistoryPage> {
    const { zone, order, hiddenCount = 0 } = query;
    const counts = await this.#countsPerDay(query);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const totalCount = Math.max(0, total - hiddenCount);
    const wantedCount = Math.min(limit, Math.max(0, totalCount - offset));
    const records: string[] = [];
    // Hidden records are at the end if sorted oldest first, otherwise at the start.
    let toSkip = order === "oldest" ? offset : offset + total - totalCount;
    for (const day of this.#daysInOrder(query)) {
      if (records.length === wantedCount) break;
      const count = counts[day - this.#plan.firstDay] ?? 0;
      if (toSkip < count) {
        const wanted = this.#linesInOrder(query, day).slice(toSkip, toSkip + wantedCount - records.length);
        for (const line of wanted) records.push(formatLine(zone, line));
      }
      toSkip = Math.max(0, toSkip - count);
    }
    return { totalCount, records };
  }

  /** Lets other work run in between, because counting a million records takes seconds. */
  async #countsPerDay(query: HistoryQuery): Promise<Uint32Array> {
    const { firstDay, days } = this.#plan;
    const key = `${query.kind} ${query.zone.zoneId} ${query.atMs}`;
    const known = this.#counts.get(key);
    if (known) return known;
    const counts = new Uint32Array(days);
    let countedSinceYield = 0;
    for (let index = 0; index < days; index += 1) {
      const count = this.#lines(query, firstDay + index).length;
      counts[index] = count;
      countedSinceYield += count;
      if (countedSinceYield < 5_000) continue;
      await setImmediate();
      countedSinceYield = 0;
    }
    this.#counts.set(key, counts);
    return counts;
  }

  #lines({ kind, zone, atMs }: HistoryQuery, day: CalendarDay): PlayLine[] {
    return linesOfPlays(listDayPlays(this.#plan, kind, zone, day), atMs);
  }

  #daysInOrder({ zone, order }: HistoryQuery): CalendarDay[] {
    const { seed, firstDay, days } = this.#plan;
    const inOrder = Array.from({ length: days }, (_, index) => firstDay + index);
    return arrange(inOrder, order, (day) => new Random(seed, "order", zone.zoneId, day));
  }

  #linesInOrder(query: HistoryQuery, day: CalendarDay): PlayLine[] {
    const key = `${query.kind} ${query.zone.zoneId} ${query.atMs} ${query.order} ${day}`;
    const known = this.#days.get(key);
    if (known) return known;
    const oldestFirst = this.#lines(query, day).sort((a, b) => a.play.startedAtMs - b.play.startedAtMs);
    const { seed } = this.#plan;
    const lines = arrange(
      oldestFirst,
      query.order,
      ({ play }) => new Random(seed, "order", play.startedAtMs),
    );
    this.#days.set(key, lines);
    return lines;
  }
}

/** @param items oldest first */
function arrange<Item>(items: Item[], order: HistoryOrder, randomOf: (item: Item) => Random): Item[] {
  if (order === "oldest") return items;
  if (order === "newest") return items.reverse();
  return items
    .map((item) => ({ item, key: randomOf(item).fraction() }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item);
}
