import type { Hono } from "hono";
import { dateTimeText } from "../../world/devices/device-status.ts";
import { screenshotInstants } from "../../world/devices/screenshot.ts";
import { deviceIdAt } from "../../world/world-plan.ts";
import { jsonArrayStream } from "../answers/json-stream.ts";
import { listingHeaders } from "../answers/listing-headers.ts";
import { pictureUrl } from "../answers/picture.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { readableGroup, readableZone } from "../requests/readable.ts";
import { commandBody, requiredBodyInteger, requiredQueryInteger } from "../requests/request-inputs.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Media players: `devices/…`. */
export function addDeviceEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { world, clock } = service;

  ext.get("/devices/status", (c) => {
    const groupId = readableGroup(c, service, requiredQueryInteger(c, "group_id"));
    const devices = jsonArrayStream(world.eachDevice(groupId, new Date(clock.now)));
    return c.body(devices, 200, { "Content-Type": "application/json", ...listingHeaders(service) });
  });

  ext.get("/devices/screenshots", (c) => {
    const zone = readableZone(c, service, requiredQueryInteger(c, "zone_id"));
    const screenshots = screenshotInstants(world.plan, zone, clock.now.getTime()).map((takenAtMs) => ({
      url: pictureUrl(service, `screenshots/${deviceIdAt(world.plan, zone, takenAtMs)}-${takenAtMs / 1000}`),
      add_date: dateTimeText(takenAtMs),
    }));
    return c.json(screenshots, 200, listingHeaders(service));
  });

  ext.post("/devices/reboot", async (c) => {
    readableZone(c, service, requiredBodyInteger(await commandBody(c, ["zone_id"]), "zone_id"));
    return c.json(true);
  });
}
