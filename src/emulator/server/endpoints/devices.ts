import { setImmediate } from "node:timers/promises";
import { dateTimeText, screenshotInstants } from "../../world/devices/device-status.ts";
import { deviceIdAt } from "../../world/world-plan.ts";
import { type AddRoute, integer, integerText } from "../routes.ts";
import type { Service } from "../service.ts";

/** Media players: `devices/…`. */
export function addDeviceRoutes(add: AddRoute, { world, clock, origins }: Service): void {
  add("GET", "/devices/status", { group_id: integerText }, ({ group_id: groupId }) =>
    ReadableStream.from(streamArray(world.eachDevice(groupId, new Date(clock.now)))),
  );

  add("GET", "/devices/screenshots", { zone_id: integerText }, ({ zone_id: zoneId }) => {
    const zone = world.getZone(zoneId);
    return screenshotInstants(world.plan, zone, clock.now.getTime()).map((takenAtMs) => {
      const picture = `screenshots/${deviceIdAt(world.plan, zone, takenAtMs)}-${takenAtMs / 1000}`;
      return { url: buildPictureUrl(origins, picture), add_date: dateTimeText(takenAtMs) };
    });
  });

  add("POST", "/devices/reboot", { zone_id: integer }, () => true);
}

/** Yields a JSON array while its items are read, because thousands of records take a while to compute. */
async function* streamArray(items: Iterable<unknown>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "[";
  let separator = "";
  for (const item of items) {
    text += separator + JSON.stringify(item);
    separator = ",";
    if (text.length < 10_000) continue;
    yield encoder.encode(text);
    text = "";
    // Lets other requests run in between.
    await setImmediate();
  }
  yield encoder.encode(`${text}]`);
}

/** PNG of one pixel that is served for every picture. */
export const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Returns a picture's URL, which needs no credentials and is not on the main API's origin. */
export function buildPictureUrl({ download }: Service["origins"], path: string): string {
  return `${download}/pictures/${path}.png`;
}
