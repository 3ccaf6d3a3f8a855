import type { Context } from "hono";
import type { Zone } from "../../world/premises/zone.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";

/**
 * The group, if the client may read it.
 * @throws {RefusalError} 404 for an unknown one, 403 for one that is not the client's
 */
export function readableGroup(
  c: Context<ServiceEnv>,
  { access, faults, world }: EmulatedService,
  groupId: number,
): number {
  if (!world.groupIds.includes(groupId)) {
    throw new RefusalError(404, "unknown_group", `There is no group ${groupId}.`);
  }
  const isForbidden = faults.strike("group-forbidden", c.get("target"), groupId) !== undefined;
  if (isForbidden || !access.mayRead([groupId])) {
    throw new RefusalError(403, "forbidden_group", `The client may not read group ${groupId}.`);
  }
  return groupId;
}

/**
 * The zone, if it is in one of the client's groups.
 * @throws {RefusalError} 404 for an unknown one, 403 for one that is in none
 */
export function readableZone(
  c: Context<ServiceEnv>,
  { access, faults, world }: EmulatedService,
  zoneId: number,
): Zone {
  const zone = world.findZone(zoneId);
  if (!zone || faults.strike("zone-gone", c.get("target"), zoneId)) {
    throw new RefusalError(404, "unknown_zone", `There is no zone ${zoneId}.`);
  }
  if (access.mayRead(zone.groupIds)) return zone;
  throw new RefusalError(403, "forbidden_zone", `The client may not read zone ${zoneId}.`);
}
