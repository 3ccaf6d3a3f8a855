import { setImmediate } from "node:timers/promises";
import type { Kind } from "../../../util/kind.ts";
import type { CalendarDay } from "../calendar-day.ts";
import { listDayPlays } from "../plays/day-plays.ts";
import type { Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";
import type { WorldPlan } from "../world-plan.ts";
import { LineWriter, linesOfPlays, type PlayLine } from "./line-writer.ts";

/** Order of records in pages. The service documents none. */
export const historyOrders = ["newest", "oldest", "unsorted"] as const;
export type HistoryOrder = (typeof historyOrders)[number];

export interface HistoryQuery {
  kind: Kind;
  zone: Zone;
  atMs: number;
  order: HistoryOrder;
  /** Number of records still hidden: the newest, or the first ones of an unsorted history. @default 0 */
  hiddenCount?: number | undefined;
}

export interface HistoryPage {
  totalCount: number;
  /** JSON objects as text. */
  records: string[];
}

/**
 * Maximum number of cached counts, one per zone day. They serve walks, which request many pages of one zone, and
 * plans, which request one page of each zone.
 */
const rememberedCounts = 2_000_000;
/**
 * Maximum number of cached records. Whole days are cached, because consecutive pages of a busy zone share a
 * day.
 */
const rememberedLines = 60_000;

/** Pages of a zone's history. Caches the records of a few days, and a count per zone and day. */
export class HistoryPages {
  readonly #plan: WorldPlan;
  readonly #counts = new Map<string, Uint32Array>();
  readonly #days = new Map<string, PlayLine[]>();
  #lineCount = 0;

  constructor(plan: WorldPlan) {
    this.#plan = plan;
  }

  async read(query: HistoryQuery, offset: number, limit: number): Promise<HistoryPage> {
    const { zone, order, hiddenCount = 0 } = query;
    const counts = await this.#countsPerDay(query);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const totalCount = Math.max(0, total - hiddenCount);
    const wantedCount = Math.min(limit, Math.max(0, totalCount - offset));
    const writer = new LineWriter(zone);
    const records: string[] = [];
    // Hidden records are at the end if sorted oldest first, otherwise at the start.
    let toSkip = order === "oldest" ? offset : offset + total - totalCount;
    for (const day of this.#daysInOrder(query)) {
      if (records.length === wantedCount) break;
      const count = counts[day - this.#plan.firstDay] ?? 0;
      if (toSkip < count) {
        const wanted = this.#linesInOrder(query, day).slice(toSkip, toSkip + wantedCount - records.length);
        for (const line of wanted) records.push(writer.write(line));
      }
      toSkip = Math.max(0, toSkip - count);
    }
    return { totalCount, records };
  }

  /** Yields to other work, because a million records take seconds to count. */
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
    for (const oldest of this.#counts.keys()) {
      if ((this.#counts.size + 1) * days <= rememberedCounts) break;
      this.#counts.delete(oldest);
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
    if (order === "newest") return inOrder.reverse();
    if (order === "oldest") return inOrder;
    return shuffled(inOrder, (day) => new Random(seed, "order", zone.zoneId, day).fraction());
  }

  #linesInOrder(query: HistoryQuery, day: CalendarDay): PlayLine[] {
    const key = `${query.kind} ${query.zone.zoneId} ${query.atMs} ${query.order} ${day}`;
    const known = this.#days.get(key);
    if (known) return known;
    const lines = this.#order(query, this.#lines(query, day));
    this.#days.set(key, lines);
    this.#lineCount += lines.length;
    for (const [oldest, { length }] of this.#days) {
      if (this.#lineCount <= rememberedLines || oldest === key) break;
      this.#days.delete(oldest);
      this.#lineCount -= length;
    }
    return lines;
  }

  #order({ order }: HistoryQuery, lines: PlayLine[]): PlayLine[] {
    lines.sort((left, right) => left.play.startedAtMs - right.play.startedAtMs);
    if (order === "newest") return lines.reverse();
    if (order === "oldest") return lines;
    return shuffled(lines, ({ play }) => new Random(this.#plan.seed, "order", play.startedAtMs).fraction());
  }
}

function shuffled<T>(items: readonly T[], keyOf: (item: T) => number): T[] {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item);
}
