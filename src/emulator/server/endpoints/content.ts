import type { Hono } from "hono";
import { listingHeaders } from "../listing-headers.ts";
import { requiredQueryInteger } from "../request-inputs.ts";
import type { Service } from "../service.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Campaigns and assets: `signage/…` and `messaging/…`, identical in shape. */
export function addContentEndpoints(ext: Hono<ServiceEnv>, service: Service): void {
  const { access, world, clock } = service;

  for (const kind of ["signage", "messaging"] as const) {
    ext.get(`/${kind}/campaigns/group`, (c) => {
      const groupId = requiredQueryInteger(c, "group_id");
      access.checkGroup(groupId);
      return c.json(world.campaigns(kind, groupId, clock.now), 200, listingHeaders(service));
    });

    ext.get(`/${kind}/assets/group`, (c) => {
      const groupId = requiredQueryInteger(c, "group_id");
      access.checkGroup(groupId);
      return c.json(world.assets(kind, groupId, clock.now), 200, listingHeaders(service));
    });
  }
}
