import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { jsonArrayStream } from "../../../../src/emulator/server/answers/send-body.ts";
import { createAsk } from "../../ask.ts";
import { bearer, startSmallEmulator } from "../../small-emulator.ts";

describe("devices/screenshots", () => {
  it("lists pictures that can be fetched from another origin, without a token", async () => {
    const emulator = await startSmallEmulator();
    const ask = await createAsk(emulator);
    const { status, headers, body } = await ask.get("devices/screenshots?zone_id=81001");
    expect([status, headers.get("cache-control")]).toEqual([200, "private, max-age=5"]);
    const screenshots = body as { url: string; add_date: string }[];
    expect(screenshots.length).toBeGreaterThan(1);
    expect(screenshots[0]?.add_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:00:00$/);

    const url = screenshots[0]?.url ?? "";
    expect(new URL(url).origin).toBe(emulator.downloadOrigin);
    const answer = await fetch(url);
    const png = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(png.toString("latin1", 0, 8)).toBe("\x89PNG\r\n\x1a\n");
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const pixels = inflateSync(png.subarray(png.indexOf("IDAT") + 4, png.indexOf("IEND") - 8));
    expect(pixels.length).toBe((width * 3 + 1) * height);
    expect((await fetch(url, { headers: bearer("t") })).status).toBe(400);
    expect((await fetch(`${emulator.downloadOrigin}/pictures/secrets/1.png`)).status).toBe(404);
  });

  it("shows those of the clock's hour, while the device was up", async () => {
    const emulator = await startSmallEmulator();
    const ask = await createAsk(emulator);
    emulator.setNow(new Date("2026-09-24T10:20:30Z"));
    const { body } = await ask.get("devices/screenshots?zone_id=81001");
    expect(body).toMatchObject([
      { add_date: "2026-09-24 10:00:00" },
      { add_date: "2026-09-24 09:00:00" },
      {},
      {},
    ]);
  });
});

it("devices/reboot answers true, and is recorded with its inputs", async () => {
  const emulator = await startSmallEmulator();
  const ask = await createAsk(emulator);
  expect(await ask.post("devices/reboot", { zone_id: 81002 })).toMatchObject({ status: 200, body: true });
  expect(emulator.requests.at(-1)).toMatchObject({
    path: "/v5/ext/devices/reboot",
    inputs: { zone_id: 81002 },
  });
});

describe("streamed answers", () => {
  it.each([0, 1, 19, 20, 21, 100])("%i records make a JSON array", async (count) => {
    const items = Array.from({ length: count }, (_, index) => ({ index }));
    expect(await new Response(jsonArrayStream(items)).json()).toEqual(items);
  });

  it("makes records as they are read, and none that nobody takes", async () => {
    let madeCount = 0;
    function* records() {
      for (; madeCount < 100_000; madeCount += 1) yield { madeCount };
    }
    const reader = jsonArrayStream(records()).getReader();
    await reader.read();
    await reader.cancel();
    expect(madeCount).toBeGreaterThan(0);
    expect(madeCount).toBeLessThan(1000);
  });

  it("devices of 2,000 zones", async () => {
    const ask = await createAsk(await startSmallEmulator({ zones: 2000, days: 1 }));
    const { body } = await ask.get("devices/status?group_id=58429");
    const zoneIds = (body as { zone_id: number }[]).map(({ zone_id: zoneId }) => zoneId);
    expect(zoneIds).toEqual(Array.from({ length: 1001 }, (_, index) => 81001 + index));
  });
});
