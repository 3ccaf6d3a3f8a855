import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import type { SqlRow } from "../../src/engines/sql-text.ts";

/** Days in the format of `deriveDevices`. */
export async function readDays(warehouse: DuckDb): Promise<Record<string, unknown>> {
  const rows = await warehouse.all("select * from mart.fact_device_day");
  const days = rows.map((row) => [`${row.device_id} ${row.zone_id} ${row.date}`, toDay(row)]);
  return Object.fromEntries(days.sort());
}

/** Zone days in the format of `deriveDevices`. */
export async function readZoneDays(warehouse: DuckDb): Promise<Record<string, unknown>> {
  const rows = await warehouse.all("select * from mart.fact_zone_uptime");
  return Object.fromEntries(rows.map((row) => [`${row.zone_id} ${row.date}`, toDay(row)]).sort());
}

function toDay(row: SqlRow) {
  return {
    up: row.up_seconds,
    down: row.down_seconds,
    unknown: row.unknown_seconds,
    openUp: row.open_up_seconds,
    openDown: row.open_down_seconds,
    planned: row.planned_down_seconds,
    silent: row.silent_seconds,
    playing: row.playing_while_down_seconds,
    outages: row.outages,
  };
}

/** Outages in the format of `deriveDevices`. */
export async function readOutages(warehouse: DuckDb): Promise<Record<string, unknown>> {
  const rows = await warehouse.all(
    `select outage_key, zone_id, down_seconds, date_diff('second', timestamp '1970-01-01', seen_up_at) as seen_up_at
    from mart.fact_outage order by outage_key`,
  );
  return Object.fromEntries(
    rows.map((row) => [
      row.outage_key,
      { zoneId: row.zone_id, seconds: row.down_seconds, seenUpAt: row.seen_up_at },
    ]),
  );
}

/** Silences in the format of `deriveDevices`: quiet time in which a device was up; adjoining parts are merged. */
export async function readSilences(warehouse: DuckDb): Promise<Record<string, unknown>> {
  const rows = await warehouse.all(
    `select
      s.device_id,
      s.zone_id,
      date_diff('second', timestamp '1970-01-01', greatest(s.from_at, q.from_at)) as began,
      date_diff(
        'second',
        greatest(s.from_at, q.from_at),
        least(s.until_at, q.from_at + to_seconds(q.quiet_seconds))
      ) as silent_seconds
    from mart.fact_device_state as s
    inner join mart.fact_quiet as q
      on q.zone_id = s.zone_id
      and q.from_at < s.until_at
      and q.from_at + to_seconds(q.quiet_seconds) > s.from_at
    where s.state = 'up'
    order by all`,
  );
  const spans: { name: string; began: number; seconds: number }[] = [];
  for (const { device_id, zone_id, began, silent_seconds } of rows) {
    const name = `${device_id} ${zone_id}`;
    const last = spans.at(-1);
    if (last?.name === name && last.began + last.seconds === Number(began))
      last.seconds += Number(silent_seconds);
    else spans.push({ name, began: Number(began), seconds: Number(silent_seconds) });
  }
  return Object.fromEntries(spans.map(({ name, began, seconds }) => [`${name} ${began}`, seconds]));
}

/** Open days of zones in the format of `deriveQuiet`. */
export async function readOpenDays(warehouse: DuckDb): Promise<Map<string, unknown>> {
  const rows = await warehouse.all("select * from mart.fact_zone_open_day");
  return new Map(
    rows.map((row) => [
      `${row.zone_id} ${row.date}`,
      {
        open: Number(row.open_seconds),
        quiet: Number(row.quiet_seconds),
        silent: Number(row.silent_seconds),
        down: Number(row.quiet_down_seconds),
      },
    ]),
  );
}
