import { expect } from "vitest";
import type { LoadFixture } from "../load-fixture.ts";
import type { KnownLine, ReferenceModel } from "./reference-model.ts";

const seconds = (timestamp: unknown) => Date.parse(`${timestamp}Z`.replace(" ", "T")) / 1000;

export async function expectSameCore({ warehouse }: LoadFixture, model: ReferenceModel): Promise<void> {
  const stored = await warehouse.all(
    "select *, epoch(played_at_local - played_at)::integer / 60 as local_minutes from core.play order by zone_id, played_at, item_id",
  );
  const expected = [...model.plays.values()].sort(
    (left, right) =>
      left.zoneId - right.zoneId || left.playedAt - right.playedAt || left.itemId - right.itemId,
  );
  expect(
    stored.map((row) => [
      row.zone_id,
      row.item_id,
      seconds(row.played_at),
      row.local_minutes,
      row.utc_offset_minutes,
      row.written_offset_minutes,
      row.duration_secs,
      row.artist_id,
      row.location_id,
      row.date,
    ]),
  ).toEqual(
    expected.map((play) => [
      play.zoneId,
      play.itemId,
      play.playedAt,
      play.offsetMinutes,
      play.offsetMinutes,
      play.offsetMinutes,
      play.durationSecs,
      play.artistId,
      play.locationId,
      new Date((play.playedAt + play.offsetMinutes * 60) * 1000).toISOString().slice(0, 10),
    ]),
  );
  const names = await warehouse.all(
    "select * from core.name_span where subject in ('zone', 'item') order by subject, id, name",
  );
  expect(
    names.map(({ subject, id, name, first_at, last_at }) => [
      `${subject} ${id} ${name}`,
      seconds(first_at),
      seconds(last_at),
    ]),
  ).toEqual(
    [...model.names]
      .map(([key, { first, last }]) => [key, first, last])
      .sort(([left], [right]) => (String(left) < String(right) ? 1 : -1))
      .sort(([left], [right]) => String(left).localeCompare(String(right), "en")),
  );
  const dirty = await warehouse.all("select distinct date from core.dirty_day order by date");
  expect(dirty.map(({ date }) => date)).toEqual([...model.dirty].sort());
}

/** Expects a load's rejects, with line numbers. */
export async function expectRejects(
  { warehouse }: LoadFixture,
  loadId: number,
  lines: readonly KnownLine[],
): Promise<void> {
  const rejects = await warehouse.all(
    "select line_number, reason, line from core.reject where load_id = ? order by line_number",
    [loadId],
  );
  expect(rejects).toEqual(
    lines.flatMap((line, index) =>
      "reason" in line ? [{ line_number: index + 1, reason: line.reason, line: line.text }] : [],
    ),
  );
}
