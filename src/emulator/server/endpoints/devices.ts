import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { Hono } from "hono";
import { dateTimeText, screenshotInstants } from "../../world/devices/device-status.ts";
import { deviceIdAt } from "../../world/world-plan.ts";
import type { EmulatedService } from "../emulated-service.ts";
import {
  readCommandBody,
  requireBodyInteger,
  requireQueryInteger,
  requireReadableGroup,
  requireReadableZone,
} from "../requests/request-inputs.ts";
import { jsonArrayStream, listingHeaders } from "../responses/send-body.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Media players: `devices/…`. */
export function addDeviceEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { world, clock } = service;

  ext.get("/devices/status", (c) => {
    const groupId = requireReadableGroup(c, service, requireQueryInteger(c, "group_id"));
    const devices = jsonArrayStream(world.eachDevice(groupId, new Date(clock.now)));
    return c.body(devices, 200, { "Content-Type": "application/json", ...listingHeaders(service) });
  });

  ext.get("/devices/screenshots", (c) => {
    const zone = requireReadableZone(c, service, requireQueryInteger(c, "zone_id"));
    const screenshots = screenshotInstants(world.plan, zone, clock.now.getTime()).map((takenAtMs) => ({
      url: buildPictureUrl(
        service,
        `screenshots/${deviceIdAt(world.plan, zone, takenAtMs)}-${takenAtMs / 1000}`,
      ),
      add_date: dateTimeText(takenAtMs),
    }));
    return c.json(screenshots, 200, listingHeaders(service));
  });

  ext.post("/devices/reboot", async (c) => {
    requireReadableZone(c, service, requireBodyInteger(await readCommandBody(c, ["zone_id"]), "zone_id"));
    return c.json(true);
  });
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
export function buildPictureUrl({ origins }: EmulatedService, path: string): string {
  return `${origins.download}/pictures/${path}.png`;
}
