import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { loadHistory } from "../../../src/load/history/load-history.ts";
import { itEachSampled, itInAll } from "../../support/long-suite.ts";
import { countsOf, createLoadFixture, musicLine } from "../load-fixture.ts";

const at = (playStart: string, values: Record<string, unknown> = {}) =>
  musicLine({ play_start: playStart, ...values });

describe("a play that is loaded again", () => {
  const again: readonly [label: string, first: object, second: object, counts: object, stored: object][] = [
    ["unchanged", {}, {}, { unchanged: 1 }, { duration_secs: 200, artist_id: 40 }],
    ["longer: it was still playing", {}, { duration_secs: 210 }, { changed: 1 }, { duration_secs: 210 }],
    ["shorter", {}, { duration_secs: 190 }, { unchanged: 1 }, { duration_secs: 200 }],
    ["after zero seconds", { duration_secs: 0 }, {}, { changed: 1 }, { duration_secs: 200 }],
    ["with a lower artist", {}, { artist_id: 39 }, { changed: 1 }, { artist_id: 39 }],
    ["with a higher artist", {}, { artist_id: 41 }, { unchanged: 1 }, { artist_id: 40 }],
    ["without artist", {}, { artist_id: null }, { unchanged: 1 }, { artist_id: 40 }],
    ["with an artist later", { artist_id: null }, {}, { changed: 1 }, { artist_id: 40 }],
    [
      "longer, with a higher artist",
      {},
      { artist_id: 41, duration_secs: 201 },
      { changed: 1 },
      { artist_id: 41 },
    ],
    ["elsewhere", {}, { location_id: 52 }, { changed: 1 }, { location_id: 52 }],
    ["without location", {}, { location_id: undefined }, { unchanged: 1 }, { location_id: 51 }],
    [
      "written with another offset",
      {},
      { play_start: "2026-03-10T06:00:00-05:00" },
      { changed: 1 },
      { played_at_local: "2026-03-10 06:00:00", utc_offset_minutes: -300, written_offset_minutes: -300 },
    ],
  ];
  itEachSampled(again, 6)("%s", async ([_label, first, second, counts, stored]) => {
    const { load, state } = await createLoadFixture();
    await load([musicLine({ ...first })]);
    expect(countsOf(await load([musicLine({ ...second })]))).toMatchObject({ lines: 1, ...counts });
    expect((await state()).play).toMatchObject([stored]);
  });

  it("with another offset and date marks both dates dirty, and back again", async () => {
    const { load, state, warehouse } = await createLoadFixture();
    const berlin = at("2026-03-11T00:30:00+01:00");
    const london = at("2026-03-10T23:30:00Z");
    await load([berlin]);
    await warehouse.run("delete from core.dirty_day");
    expect(countsOf(await load([london]))).toMatchObject({ changed: 1 });
    expect((await state()).dirty).toEqual([
      { kind: "music", date: "2026-03-10" },
      { kind: "music", date: "2026-03-11" },
    ]);
    // The same file as the first: the state remembered for its date no longer holds.
    expect(countsOf(await load([berlin]))).toMatchObject({ changed: 1 });
    expect(countsOf(await load([berlin]))).toMatchObject({ unchanged: 1 });
    expect((await state()).play).toMatchObject([{ date: "2026-03-11", utc_offset_minutes: 60 }]);
  });

  it("a message and a signage item with the same id are two plays", async () => {
    const { load, state, warehouse } = await createLoadFixture();
    // After a build this view exists; loads change the table under it for a while.
    await warehouse.run("create view staging.play as select * from core.play");
    const line = musicLine({ song_id: undefined, asset_id: 7, asset_name: "Offer", artist_id: undefined });
    expect(countsOf(await load([line], { kind: "signage" }))).toMatchObject({ newPlays: 1 });
    expect(countsOf(await load([line], { kind: "messaging" }))).toMatchObject({ newPlays: 1 });
    expect((await state()).play).toMatchObject([{ kind: "messaging" }, { kind: "signage" }]);
    expect(await warehouse.all("select count(*) as plays from staging.play")).toEqual([{ plays: 2 }]);
    expect((await state()).names.filter(({ subject }) => subject === "item")).toMatchObject([
      { kind: "messaging", id: 7, name: "Offer" },
      { kind: "signage", id: 7, name: "Offer" },
    ]);
  });
});

describe("vanished plays are kept and counted", () => {
  const first = at("2026-03-10T10:00:00Z");
  const second = at("2026-03-11T10:00:00Z");
  const third = at("2026-03-12T10:00:00Z");
  const elsewhere = at("2026-03-12T10:00:00Z", { zone_id: 8 });
  /** Never missed: not in any landing, since a zero-second record is not a play. */
  const empty = at("2026-03-11T11:00:00Z", { duration_secs: 0 });

  itEachSampled(
    [
      ["none", [first, second, third, elsewhere], {}, 0],
      ["in the middle", [first, third, elsewhere], {}, 1],
      ["at the end", [first, elsewhere], {}, 2],
      ["at the start: truncated history", [second, third, elsewhere], {}, 0],
      ["with their whole zone", [first, second, third], {}, 0],
      ["at the first instant", [at("2026-03-10T10:00:00Z", { song_id: 5 }), second, third, elsewhere], {}, 0],
      ["of a walk", [first, third], { source: "walk" }, 0],
      ["of an incomplete export", [first, third], { isComplete: false }, 0],
    ] as readonly [label: string, lines: string[], overrides: object, vanished: number][],
    4,
  )("%s", async ([_label, lines, overrides, vanished]) => {
    const { load, state } = await createLoadFixture();
    await load([first, second, third, elsewhere, empty]);
    const before = (await state()).play;
    expect(await load(lines, overrides)).toMatchObject({ vanished });
    expect((await state()).play).toEqual(expect.arrayContaining(before));
  });

  it("no play that began after the export's request is counted, even if another export had it before", async () => {
    const { load } = await createLoadFixture();
    await load([first, second, third], { groupId: 2, requestedAt: new Date("2026-03-12T10:00:01Z") });
    const parent = { groupId: 1, requestedAt: new Date("2026-03-12T09:59:59Z") };
    expect(await load([first, second, elsewhere], parent)).toMatchObject({ vanished: 0 });
    expect(await load([first, elsewhere], parent)).toMatchObject({ vanished: 1 });
    const atOnce = { ...parent, requestedAt: new Date("2026-03-12T10:00:00Z") };
    expect(await load([first, second, elsewhere], atOnce)).toMatchObject({ vanished: 1 });
  });
});

describe("a load", () => {
  itInAll("of a loaded landing is not repeated", async () => {
    const { load, warehouse } = await createLoadFixture();
    const first = await load([musicLine()], { landingId: "same" });
    expect(first.isRepeat).toBe(false);
    expect(await load([musicLine(), musicLine({ song_id: 3 })], { landingId: "same" })).toEqual({
      ...first,
      isRepeat: true,
    });
    expect(await warehouse.all("select count(*) as loads from core.load")).toEqual([{ loads: 1 }]);
  });

  itEachSampled(
    [
      ["at once", "reading plays"],
      ["at its end", "storing names and days"],
    ],
    1,
  )("that is interrupted %s leaves the warehouse unchanged", async ([_label, atStep]) => {
    const { load, state, warehouse, folder } = await createLoadFixture();
    await load([musicLine(), "oops"]);
    const before = await state();
    const interruption = new AbortController();
    const lines = Array.from({ length: 3000 }, (_, index) => musicLine({ song_id: index }));
    const path = `${folder}/long.jsonl`;
    writeFileSync(path, lines.join("\n"));

    await expect(
      loadHistory(
        warehouse,
        {
          landingId: "long",
          path,
          kind: "music",
          source: "file",
          requestedAt: new Date("2026-06-01"),
          isComplete: false,
        },
        {
          loadedAt: new Date(),
          signal: interruption.signal,
          onProgress: (step) => {
            if (step === atStep) interruption.abort(new Error("stopped"));
          },
        },
      ),
    ).rejects.toThrow("stopped");
    expect(await state()).toEqual(before);
    expect(await warehouse.all("select count(*) as rejects from core.reject")).toEqual([{ rejects: 1 }]);
    expect(countsOf(await load(lines))).toMatchObject({ newPlays: 2999, unchanged: 1 });
  });

  it.each([
    ["that is missing", undefined],
    ["that is not gzip", Buffer.from("oops")],
    ["that is truncated", gzipSync(musicLine().repeat(100)).subarray(0, -20)],
  ])("of a file %s fails with its name", async (_label, content) => {
    const { load, folder, state } = await createLoadFixture();
    const path = `${folder}/broken.jsonl.gz`;
    if (content) writeFileSync(path, content);
    await expect(load([], { path })).rejects.toMatchObject({
      code: "LANDING_UNREADABLE",
      message: expect.stringContaining(path),
    });
    expect((await state()).play).toEqual([]);
  });

  it("records the zones of an export's group", async () => {
    const { load, state } = await createLoadFixture();
    await load([musicLine(), musicLine({ zone_id: 8 })], { requestedAt: new Date("2026-06-05") });
    await load([musicLine()], { requestedAt: new Date("2026-06-06") });
    await load([musicLine({ zone_id: 9 })], { source: "walk", zoneId: 9 });
    await load([musicLine()], { requestedAt: new Date("2026-06-04") });
    expect((await state()).sightings).toMatchObject([
      { zone_id: 7, group_id: 1, source: "export", kind: "music", last_seen_at: "2026-06-06 00:00:00" },
      { zone_id: 8, last_seen_at: "2026-06-05 00:00:00" },
    ]);
  });
});

describe("a landing that is loaded late", () => {
  const older = { requestedAt: new Date("2026-05-30T00:00:00Z") };
  const newer = { requestedAt: new Date("2026-05-31T00:00:00Z") };
  const changes: readonly [label: string, earlier: object, later: object][] = [
    ["elsewhere", { location_id: 52 }, {}],
    ["longer", { duration_secs: 210 }, {}],
    ["without location", {}, { location_id: undefined }],
    [
      "with another offset and date",
      { play_start: "2026-03-10T23:30:00Z" },
      { play_start: "2026-03-11T00:30:00+01:00" },
    ],
    [
      "longer, with another offset",
      { play_start: "2026-03-10T23:30:00Z", duration_secs: 210 },
      { play_start: "2026-03-11T00:30:00+01:00", location_id: 52 },
    ],
  ];
  itEachSampled(changes, 3)(
    "%s, gives what it would have given in time",
    async ([_label, earlier, later]) => {
      const lines = [musicLine({ ...earlier }), musicLine({ ...later })] as const;
      const [inTime, late] = [await createLoadFixture(), await createLoadFixture()];
      await inTime.load([lines[0]], older);
      await inTime.load([lines[1]], newer);
      await late.load([lines[1]], newer);
      await late.load([lines[0]], older);
      expect((await late.state()).play).toEqual((await inTime.state()).play);
    },
  );
});
