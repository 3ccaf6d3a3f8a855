import type { Hono } from "hono";
import { kinds } from "../../../util/kind.ts";
import { ApiError } from "../api-error.ts";
import { listingHeaders } from "../listing-headers.ts";
import { findQueryInteger, requiredQueryInteger } from "../request-inputs.ts";
import type { Service } from "../service.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Records of a page that names no limit. */
const defaultLimit = 100;

/** Pages of a zone's playback history: `data/{kind}/history`. */
export function addHistoryEndpoints(ext: Hono<ServiceEnv>, service: Service): void {
  const { access, world, clock, pages, settings } = service;

  for (const kind of kinds) {
    ext.get(`/data/${kind}/history`, (c) => {
      const zoneId = requiredQueryInteger(c, "zone_id");
      const asked = findQueryInteger(c, "limit") ?? defaultLimit;
      const offset = findQueryInteger(c, "offset") ?? 0;
      if (asked < 1) throw new ApiError(400, "invalid_parameter", `limit must be at least 1, not ${asked}.`);
      if (offset < 0) throw new ApiError(400, "invalid_parameter", `offset must not be negative: ${offset}.`);
      const zone = world.zones.find((candidate) => candidate.zoneId === zoneId);
      if (!zone) throw new ApiError(404, "unknown_zone", `There is no zone ${zoneId}.`);
      access.checkZone(zone);

      const limit = Math.min(asked, settings.pageLimit);
      const query = { kind, zone, atMs: clock.now.getTime(), order: settings.order };
      const { totalCount, records } = pages.read(query, offset, limit);
      const envelope = {
        total_count: totalCount,
        page_size: limit,
        page: Math.floor(offset / limit) + 1,
        page_count: Math.ceil(totalCount / limit),
      };
      const json = `${JSON.stringify(envelope).slice(0, -1)},"data":[${records.join(",")}]}`;
      return c.body(json, 200, { "Content-Type": "application/json", ...listingHeaders(service) });
    });
  }
}
