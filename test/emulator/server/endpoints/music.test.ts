import { describe, expect, it } from "vitest";
import type { Emulator } from "../../../../src/emulator/emulator.ts";
import { type Ask, createAsk } from "../../ask.ts";
import { startSmallEmulator } from "../../small-emulator.ts";

interface NowPlaying {
  status: string;
  volume: number;
  now_playing: { pick_id: string; song_id: number; duration: number; remaining: number };
  queue: { pick_id: string }[];
  recent: { pick_id: string }[];
}

/** Of zone 81001, which is open from 7 to 22 in New York: 11 to 2 UTC. */
async function scene(): Promise<{ emulator: Emulator; ask: Ask; read(): Promise<NowPlaying> }> {
  const emulator = await startSmallEmulator({ days: 3, playScale: 1 });
  emulator.setNow(new Date("2026-09-24T16:00:00Z"));
  const ask = await createAsk(emulator);
  const read = async () => (await ask.get("music/now_playing?zone_id=81001")).body as NowPlaying;
  return { emulator, ask, read };
}

const zone = { zone_id: 81001 };

describe("music/now_playing", () => {
  it("tells what the history of that moment tells", async () => {
    const { ask } = await scene();
    const { body, headers } = await ask.get("music/now_playing?zone_id=81001");
    const history = await ask.get("data/music/history?zone_id=81001&limit=1");
    const newest = (history.body as { data: { song_id: number; song_name: string; duration_secs: number }[] })
      .data[0];
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({
      venue: "Harbor Market",
      status: "active",
      volume: expect.any(Number),
      current_users: expect.any(Number),
      now_playing: {
        song_id: newest?.song_id,
        song: newest?.song_name,
        artist: expect.any(String),
        pick_id: expect.any(String),
        artwork_small: expect.stringMatching(/^http.*png$/),
        likes: expect.any(Number),
      },
      queue: { length: 5 },
      recent: { length: 5 },
    });
    const { duration, remaining } = (body as NowPlaying).now_playing;
    expect(duration - remaining).toBe(newest?.duration_secs);
  });

  it("is paused while the zone is closed", async () => {
    const { emulator, read } = await scene();
    emulator.setNow(new Date("2026-09-24T06:00:00Z"));
    expect(await read()).toMatchObject({ status: "paused", now_playing: { remaining: 0 } });
  });
});

describe("commands", () => {
  it("skip: the next queued track starts at once, the current one is recent", async () => {
    const { ask, read } = await scene();
    const before = await read();
    expect((await ask.post("music/skip", zone)).body).toBe(true);
    const after = await read();
    expect(after.now_playing.pick_id).toBe(before.queue[0]?.pick_id);
    expect(after.now_playing.remaining).toBe(after.now_playing.duration);
    expect(after.recent[0]?.pick_id).toBe(before.now_playing.pick_id);
    expect(after.queue.slice(0, 4)).toEqual(before.queue.slice(1));
    expect((await ask.post("music/skip", zone)).body).toBe(true);
    expect((await read()).now_playing.pick_id).toBe(before.queue[1]?.pick_id);
  });

  it("stop: playback halts where it is; start: it begins with the next track", async () => {
    const { emulator, ask, read } = await scene();
    const before = await read();
    expect((await ask.post("music/stop", zone)).body).toBe(true);
    emulator.setNow(new Date(emulator.now().getTime() + 3_600_000));
    expect(await read()).toEqual({ ...before, status: "stopped", current_users: expect.any(Number) });
    // Only what plays can be skipped.
    await ask.post("music/skip", zone);
    expect(await read()).toMatchObject({ status: "stopped", now_playing: before.now_playing });
    expect((await ask.post("music/start", zone)).body).toBe(true);
    expect(await read()).toMatchObject({
      status: "active",
      now_playing: { pick_id: before.queue[0]?.pick_id },
    });
  });

  it("volume is kept per zone", async () => {
    const { ask, read } = await scene();
    for (const volume of [0, 100, 37]) {
      expect((await ask.post("music/volume", { ...zone, volume })).body).toBe(true);
      expect((await read()).volume).toBe(volume);
    }
    const other = await ask.get("music/now_playing?zone_id=81002");
    expect(other.body).toMatchObject({ volume: expect.any(Number) });
    expect((other.body as NowPlaying).volume).not.toBe(37);
  });

  it.each([-1, 101, 1.5, "50", null])("volume %j is refused", async (volume) => {
    const { ask } = await scene();
    expect((await ask.post("music/volume", { ...zone, volume })).status).toBe(400);
  });
});
