import { expect } from "vitest";
import { itOfMany } from "../support/long-suite.ts";
import { add, orders, setUpBoth } from "./walk-beside-export.ts";

type Told = Record<string, unknown>;

/** What tells of no play, with an instant or without one. */
const spoils: readonly ((record: Told) => unknown)[] = [
  () => null,
  () => "upstream connect error",
  ({ play_start: _, ...rest }) => rest,
  (record) => ({ ...record, play_start: String(record.play_start).replace("Z", "") }),
  (record) => ({ ...record, duration_secs: "long" }),
];

/** Some records of the first 120: the oldest, the newest, and some between. */
function spoil(record: Told): unknown {
  const id = Number(record.song_id);
  const way = spoils[Math.floor(id / 17) % spoils.length];
  return way && id % 17 === 1 ? way(record) : record;
}

const sound = (record: Told) => record;

itOfMany(orders, 1)(
  "%s first: what a service spoils for a day is taken once it tells it rightly",
  async (order) => {
    const both = await setUpBoth(order);
    both.service.tell = spoil;
    expect((await both.syncAt(0)).core).toHaveLength(120 - 8);
    add(both.service, 20, 1, 0.5);
    const spoilt = await both.syncAt(24);
    expect(spoilt.core).toEqual(spoilt.exported);
    both.service.tell = sound;
    const mended = await both.syncAt(25);
    expect(mended.core).toHaveLength(140);
    expect(mended.core).toEqual(mended.exported);
    if (order !== "unsorted") expect((await both.syncAt(26)).pages).toBe(1);
  },
);

itOfMany(
  ["newest", "oldest"],
  0,
  1,
)("%s first: what stays spoilt costs requests for 36 hours, and none after that", async (order) => {
  const both = await setUpBoth(order);
  both.service.tell = spoil;
  const whole = (await both.syncAt(0)).pages;
  expect(whole).toBeGreaterThan(2);
  expect((await both.syncAt(24)).pages).toBeGreaterThanOrEqual(whole);
  add(both.service, 2, 25, 0.5);
  expect((await both.syncAt(37)).pages).toBe(1);
  const { core, exported, pages } = await both.syncAt(61);
  expect(pages).toBe(1);
  expect(core).toEqual(exported);
});
