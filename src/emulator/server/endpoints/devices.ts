import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { crc32, deflateSync } from "node:zlib";
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

/** Yields a JSON array while its items are read, because each of many thousand records takes a moment. */
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
    // Lets other requests run meanwhile.
    await setImmediate();
  }
  yield encoder.encode(`${text}]`);
}

const width = 64;
const height = 36;

/** Draws a small PNG in two colours derived from its name. */
export function drawPicture(name: string): Buffer {
  const hash = createHash("sha256").update(name).digest();
  // Each row starts with a filter byte; 0 means no filter.
  const buildRow = (colour: Buffer) => Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, colour)]);
  const [top, bottom] = [buildRow(hash.subarray(0, 3)), buildRow(hash.subarray(3, 6))];
  const rows = Array.from({ length: height }, (_, row) => (row < height / 2 ? top : bottom));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per sample, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    encodeChunk("IHDR", header),
    encodeChunk("IDAT", deflateSync(Buffer.concat(rows))),
    encodeChunk("IEND", Buffer.alloc(0)),
  ]);
}

function encodeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Returns a picture's URL, which needs no credentials and is not on the main API's origin. */
export function buildPictureUrl({ download }: Service["origins"], path: string): string {
  return `${download}/pictures/${path}.png`;
}
