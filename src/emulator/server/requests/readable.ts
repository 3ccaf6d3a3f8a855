import type { Context } from "hono";
import type { Zone } from "../../world/premises/zone.ts";
import { ApiError } from "../api-error.ts";
import type { Service } from "../service.ts";
import type { ServiceEnv } from "../service-env.ts";

/**
 * The group, if the client may read it.
 * @throws {ApiError} 404 for an unknown one, 403 for one that is not the client's
 */
export function readableGroup(
  c: Context<ServiceEnv>,
  { access, faults, world }: Service,
  groupId: number,
): number {
  if (!world.groupIds.includes(groupId)) {
    throw new ApiError(404, "unknown_group", `There is no group ${groupId}.`);
  }
  const isForbidden = faults.strike("group-forbidden", c.get("target"), groupId) !== undefined;
  if (isForbidden || !access.mayRead([groupId])) {
    throw new ApiError(403, "forbidden_group", `The client may not read group ${groupId}.`);
  }
  return groupId;
}

/**
 * The zone, if it is in one of the client's groups.
 * @throws {ApiError} 404 for an unknown one, 403 for one that is in none
 */
export function readableZone(
  c: Context<ServiceEnv>,
  { access, faults, world }: Service,
  zoneId: number,
): Zone {
  const zone = world.findZone(zoneId);
  if (!zone || faults.strike("zone-gone", c.get("target"), zoneId)) {
    throw new ApiError(404, "unknown_zone", `There is no zone ${zoneId}.`);
  }
  if (access.mayRead(zone.groupIds)) return zone;
  throw new ApiError(403, "forbidden_zone", `The client may not read zone ${zoneId}.`);
}
