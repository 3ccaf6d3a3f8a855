import type { Engine } from "../../engines/engine.ts";
import { insertRows } from "../../engines/statements.ts";
import type { MachineManifest } from "../../lake/machine.ts";
import type { KindDay } from "../dirty-days.ts";

interface LakeDay extends KindDay {
  machine: string;
  fingerprint: string;
}

/** A day of plays and its play count over all machines. */
export interface CountedDay extends KindDay {
  plays: number;
}

/** Days per statement, which limits the depth of its conditions. */
const daysPerStatement = 200;

export function listDays(machines: readonly MachineManifest[]): CountedDay[] {
  const days = new Map<string, CountedDay>();
  for (const { kind, date, plays } of machines.flatMap(({ tables }) => tables.play?.days ?? [])) {
    const key = getDayKey({ kind, date });
    days.set(key, { kind, date, plays: plays + (days.get(key)?.plays ?? 0) });
  }
  return [...days.values()];
}

/**
 * Finds days on which a machine's plays changed or were removed since they were filled into `core.play`.
 * @param isAll returns all days, regardless of the last fill
 */
export async function findChangedDays(
  engine: Engine,
  machines: readonly MachineManifest[],
  isAll: boolean,
): Promise<KindDay[]> {
  const now = publishedDays(machines);
  const before = await readStoredDays(engine);
  const changed = [...now, ...before].filter(
    (day) => isAll || now.get(day[0])?.fingerprint !== before.get(day[0])?.fingerprint,
  );
  return dedupeDays(changed.map(([, day]) => day));
}

export async function storeDays(engine: Engine, machines: readonly MachineManifest[]): Promise<void> {
  const now = publishedDays(machines);
  const before = await readStoredDays(engine);
  const isSame = (key: string) => now.get(key)?.fingerprint === before.get(key)?.fingerprint;
  const stale = dedupeDays([...before].flatMap(([key, day]) => (isSame(key) ? [] : [day])));
  for (let first = 0; first < stale.length; first += daysPerStatement) {
    const days = stale.slice(first, first + daysPerStatement);
    const where = days.map(() => "(kind = ? and date = cast(? as date))").join(" or ");
    await engine.run(
      `delete from core.lake_day where ${where}`,
      days.flatMap(({ kind, date }) => [kind, date]),
    );
  }
  const isStale = new Set(stale.map(getDayKey));
  const added = [...now].filter(([key, day]) => !isSame(key) || isStale.has(getDayKey(day)));
  await insertRows(
    engine,
    "core.lake_day",
    { machine: "varchar", kind: "varchar", date: "date", fingerprint: "varchar" },
    added.map(([, { machine, kind, date, fingerprint }]) => [machine, kind, date, fingerprint]),
  );
}

export function dedupeDays<Day extends KindDay>(days: readonly Day[]): KindDay[] {
  return [...new Map(days.map(({ kind, date }) => [getDayKey({ kind, date }), { kind, date }])).values()];
}

export function getDayKey({ kind, date }: KindDay): string {
  return `${kind} ${date}`;
}

async function readStoredDays(engine: Engine): Promise<Map<string, LakeDay>> {
  const days = await engine.all<LakeDay>("select machine, kind, date, fingerprint from core.lake_day");
  return new Map(days.map((day) => [`${day.machine} ${getDayKey(day)}`, day]));
}

function publishedDays(machines: readonly MachineManifest[]): Map<string, LakeDay> {
  const days = machines.flatMap(({ name: machine, tables }) =>
    (tables.play?.days ?? []).map(({ kind, date, fingerprint }) => ({ machine, kind, date, fingerprint })),
  );
  return new Map(days.map((day) => [`${day.machine} ${getDayKey(day)}`, day]));
}
