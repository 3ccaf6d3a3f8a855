import { describe, expect, it } from "vitest";
import { createAsk } from "../../ask.ts";
import { startSmallEmulator } from "../../small-emulator.ts";

const path = "zones/81001/playlists";

describe("playlists of a zone", () => {
  it("come in pages", async () => {
    const ask = await createAsk(await startSmallEmulator());
    const all = (await ask.get(path)).body as { total_count: number; data: { playlist_id: number }[] };
    expect(all.total_count).toBeGreaterThan(25);
    expect(all.data[0]).toEqual({
      playlist_id: 6001,
      name: "Easy Soul",
      description: "Soul for easy hours & more",
      songs: expect.any(Number),
      artists: expect.any(Number),
      image: expect.stringMatching(/^http.*\/pictures\/playlists\/6001\.png$/),
      add_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00$/),
      edit_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00$/),
      streaming_id: expect.any(String),
    });
    const { body, headers } = await ask.get(`${path}?limit=10&offset=20`);
    expect(headers.get("cache-control")).toBe("private, max-age=5");
    expect(body).toEqual({
      total_count: all.total_count,
      page_size: 10,
      page: 3,
      page_count: Math.ceil(all.total_count / 10),
      data: all.data.slice(20, 30),
    });
  });
});

describe("overrides", () => {
  const overrideOf = (playlistId: number, minutes: number) => ({
    playlist: expect.objectContaining({ playlist_id: playlistId }),
    start_time: expect.stringMatching(/-0[45]:00$/),
    end_time: expect.any(String),
    minutes_remaining: minutes,
  });

  it("play for their minutes, counted by the clock, and carry no id", async () => {
    const emulator = await startSmallEmulator();
    const ask = await createAsk(emulator);
    const read = async () => (await ask.get(`${path}/override`)).body;
    expect(await read()).toMatchObject({ total_count: 0, page_count: 0, data: [] });
    const created = await ask.post(`${path}/override`, { playlist_id: 6001, duration: 30 });
    expect(created).toMatchObject({ status: 200, body: {} });
    expect(await read()).toMatchObject({ total_count: 1, page: 1, data: [overrideOf(6001, 30)] });
    const [record] = ((await read()) as { data: object[] }).data;
    expect(Object.keys(record ?? {})).toEqual(["playlist", "start_time", "end_time", "minutes_remaining"]);
    expect(record).not.toHaveProperty("playlist.streaming_id");
    const start = emulator.now().getTime();
    emulator.setNow(new Date(start + 12.5 * 60_000));
    expect(await read()).toMatchObject({ data: [overrideOf(6001, 18)] });
    emulator.setNow(new Date(start + 30 * 60_000));
    expect(await read()).toMatchObject({ total_count: 0, data: [] });
  });

  it("are removed one by one, by ids that only the control API shows, or all at once", async () => {
    const emulator = await startSmallEmulator({ servesControl: true });
    const ask = await createAsk(emulator);
    for (const duration of [10, 20, 30]) await ask.post(`${path}/override`, { playlist_id: 6001, duration });
    await ask.post("zones/81002/playlists/override", { playlist_id: 6001, duration: 5 });
    const control = `${new URL(emulator.baseUrl).origin}/_emulator/overrides`;
    const shown = await (await fetch(control)).json();
    expect(shown).toEqual(emulator.overrides);
    expect(emulator.overrides).toHaveLength(4);

    const second = emulator.overrides[1]?.overrideId;
    expect((await ask.delete(`zones/81002/playlists/override/${second}`)).status).toBe(404);
    expect(await ask.delete(`${path}/override/${second}`)).toMatchObject({ status: 200, body: {} });
    expect((await ask.delete(`${path}/override/${second}`)).status).toBe(404);
    const left = (await ask.get(`${path}/override`)).body;
    expect(left).toMatchObject({ data: [{ minutes_remaining: 10 }, { minutes_remaining: 30 }] });

    expect(await ask.delete(`${path}/override`)).toMatchObject({ status: 200, body: {} });
    expect(emulator.overrides.map(({ zoneId }) => zoneId)).toEqual([81002]);
  });

  it.each([
    [{ playlist_id: 6001 }, 400],
    [{ playlist_id: 6001, duration: 0 }, 400],
    [{ playlist_id: 6001, duration: "30" }, 400],
    [{ playlist_id: 6001, duration: 30, zone_id: 81001 }, 400],
    [{ playlist_id: 1, duration: 30 }, 404],
  ])("%j: %i", async (body, status) => {
    const ask = await createAsk(await startSmallEmulator());
    expect((await ask.post(`${path}/override`, body)).status).toBe(status);
  });
});
