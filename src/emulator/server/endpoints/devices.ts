import type { Hono } from "hono";
import { listingHeaders } from "../listing-headers.ts";
import { requiredQueryInteger } from "../request-inputs.ts";
import type { Service } from "../service.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Media players: `devices/…`. */
export function addDeviceEndpoints(ext: Hono<ServiceEnv>, service: Service): void {
  const { access, world, clock } = service;

  ext.get("/devices/status", (c) => {
    const groupId = requiredQueryInteger(c, "group_id");
    access.checkGroup(groupId);
    return c.json(world.devices(groupId, clock.now), 200, listingHeaders(service));
  });
}
