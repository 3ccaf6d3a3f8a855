import type { Engine, SqlParameter } from "../../engines/engine.ts";
import { insertRows } from "../../engines/statements.ts";
import type { MachineManifest } from "../../lake/machine.ts";
import { readSql } from "../../util/files/package-files.ts";
import { addDays } from "../../util/local-date.ts";
import { coverDates, type DayRange, type KindDay } from "../dirty-days.ts";
import { dedupeDays, findChangedDays, getDayKey, listDays, storeDays } from "./lake-days.ts";
import { listSharedColumns, type UnionTable } from "./union-table.ts";

/** Plays that can be compared and written at once in little memory. */
const playsPerStatement = 1_500_000;

/** Maximum difference between a play's dates on two machines: -14:00 and +14:00 are 28 hours apart. */
const reachDays = 2;

interface FillPlaysOptions {
  machines: readonly MachineManifest[];
  /** Refills every day, regardless of earlier fills. */
  isAll: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Fills the days of `core.play` whose plays changed on any machine, and marks them dirty. A play's date in
 * the union may differ from its date on a machine, so adjacent days are compared, and filled if they differ.
 * @returns the filled days
 */
export async function fillPlays(
  engine: Engine,
  union: UnionTable,
  { machines, isAll, signal }: FillPlaysOptions,
): Promise<KindDay[]> {
  const plays = new PlayDays(engine, union.sql, await listSharedColumns(engine, union.table), machines);
  const changed = dedupeDays([
    ...(await findChangedDays(engine, machines, isAll)),
    ...(await updateClocks(engine)),
  ]);
  const neighbours = listNeighbouringDays(changed);
  const days = isAll
    ? await plays.fillAll([...changed, ...neighbours], signal)
    : await plays.fill([...changed, ...(await plays.findDifferent(neighbours, signal))], signal);
  await markDirty(engine, days);
  await storeDays(engine, machines);
  return days;
}

/** Compares and fills days of plays, in ranges of limited size. */
class PlayDays {
  readonly #engine: Engine;
  readonly #select: string;
  readonly #columns: string;
  readonly #counts = new Map<string, number>();

  constructor(engine: Engine, sql: string, columns: readonly string[], machines: readonly MachineManifest[]) {
    this.#engine = engine;
    this.#columns = columns.join(", ");
    this.#select = `select ${this.#columns} from (${sql}\n) as play`;
    for (const { date, plays } of listDays(machines)) {
      this.#counts.set(date, plays + (this.#counts.get(date) ?? 0));
    }
  }

  /**
   * Fills all given days without comparing them first.
   * @returns the days that had plays or have some now
   */
  async fillAll(days: readonly KindDay[], signal: AbortSignal | undefined): Promise<KindDay[]> {
    const before = await this.#listFilled();
    await this.fill(days, signal);
    return dedupeDays([...before, ...(await this.#listFilled())]);
  }

  async fill(days: readonly KindDay[], signal: AbortSignal | undefined): Promise<KindDay[]> {
    for (const { where, bound, wide } of this.#ranges(days)) {
      signal?.throwIfAborted();
      await this.#engine.run(`delete from core.play where ${where}`, bound);
      await this.#engine.run(`insert into core.play (${this.#columns}) ${this.#select} where ${where}`, [
        ...wide,
        ...bound,
      ]);
    }
    return dedupeDays(days);
  }

  #listFilled(): Promise<KindDay[]> {
    return this.#engine.all<KindDay & Record<string, string>>("select distinct kind, date from core.play");
  }

  /** Returns the given days on which `core.play` is out of date. */
  async findDifferent(days: readonly KindDay[], signal: AbortSignal | undefined): Promise<KindDay[]> {
    const different: KindDay[] = [];
    for (const { where, bound, wide } of this.#ranges(days)) {
      signal?.throwIfAborted();
      const now = `${this.#select} where ${where}`;
      const before = `select ${this.#columns} from core.play where ${where}`;
      const found = await this.#engine.all<KindDay & Record<string, string>>(
        `select distinct kind, date from ((${now}) except (${before})) as come
        union
        select distinct kind, date from ((${before}) except (${now})) as gone`,
        [...wide, ...bound, ...bound, ...bound, ...wide, ...bound],
      );
      different.push(...found);
    }
    return different;
  }

  #ranges(days: readonly KindDay[]): { where: string; bound: SqlParameter[]; wide: SqlParameter[] }[] {
    const ranges = coverDates(days.map(({ date }) => date)).flatMap((range) => this.#split(range));
    return ranges.map(({ from, to }) => {
      const kinds = new Set(days.filter(({ date }) => date >= from && date <= to).map(({ kind }) => kind));
      return {
        where: `date between cast(? as date) and cast(? as date) and kind in (${[...kinds].map(() => "?").join(", ")})`,
        bound: [from, to, ...kinds],
        wide: [addDays(from, -reachDays), addDays(to, reachDays)],
      };
    });
  }

  #split({ from, to }: DayRange): DayRange[] {
    const ranges: DayRange[] = [];
    let plays = 0;
    for (let date = from; date <= to; date = addDays(date, 1)) {
      const last = ranges.at(-1);
      const count = this.#counts.get(date) ?? 0;
      if (last && plays + count <= playsPerStatement) last.to = date;
      else ranges.push({ from: date, to: date });
      plays = last && plays + count <= playsPerStatement ? plays + count : count;
    }
    return ranges;
  }
}

function listNeighbouringDays(days: readonly KindDay[]): KindDay[] {
  const known = new Set(days.map(getDayKey));
  const distances = Array.from({ length: reachDays }, (_, index) => index + 1);
  const neighbours = days.flatMap(({ kind, date }) =>
    distances.flatMap((by) => [-by, by]).map((by) => ({ kind, date: addDays(date, by) })),
  );
  return dedupeDays(neighbours).filter((day) => !known.has(getDayKey(day)));
}

async function markDirty(engine: Engine, days: readonly KindDay[]): Promise<void> {
  await insertRows(
    engine,
    "core.dirty_day",
    { kind: "varchar", date: "date" },
    days.map(({ kind, date }) => [kind, date]),
  );
}

interface ForeignClock {
  machine: string;
  zone_id: number;
  time_zone: string;
}

/**
 * Records the zones whose clock in the union differs from the clock on their machine.
 * @returns the machines' play days in zones for which this changed
 */
async function updateClocks(engine: Engine): Promise<KindDay[]> {
  const now = await engine.all<ForeignClock & Record<string, string | number>>(
    readSql("build/lake/foreign_clocks.sql"),
  );
  const before = await engine.all<ForeignClock & Record<string, string | number>>(
    "select machine, zone_id, time_zone from core.lake_clock",
  );
  const changed = findDifference(now, before);
  if (changed.length === 0) return [];
  await engine.run("delete from core.lake_clock");
  await insertRows(
    engine,
    "core.lake_clock",
    { machine: "varchar", zone_id: "bigint", time_zone: "varchar" },
    now.map(({ machine, zone_id: zoneId, time_zone: timeZone }) => [machine, zoneId, timeZone]),
  );
  return await engine.all<KindDay & Record<string, string>>(
    `select distinct kind, date from lake.play where zone_id in (${changed.map(() => "?").join(", ")})`,
    changed,
  );
}

function findDifference(now: readonly ForeignClock[], before: readonly ForeignClock[]): number[] {
  const keyOf = (row: ForeignClock) => JSON.stringify([row.machine, row.zone_id, row.time_zone]);
  const [keysNow, keysBefore] = [new Set(now.map(keyOf)), new Set(before.map(keyOf))];
  const rows = [
    ...now.filter((row) => !keysBefore.has(keyOf(row))),
    ...before.filter((row) => !keysNow.has(keyOf(row))),
  ];
  return [...new Set(rows.map(({ zone_id: zoneId }) => zoneId))];
}
