import { expect } from "vitest";
import { runVenue } from "./run-venue.ts";
import type { Setup } from "./service.ts";

/** Contents of listings: zones of groups, devices of zones, and listed campaigns. */
interface Listings {
  groups: string[];
  devices: string[];
  campaigns: string[];
}

export async function publishedListings(setup: Setup): Promise<Listings> {
  const texts = async (select: string) => {
    const { stdout, stderr, code } = await runVenue(["query", select, "--format", "json"], setup);
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { listed: string }[]).map(({ listed }) => listed).sort();
  };
  return {
    groups: await texts("select group_id || ' ' || zone_id as listed from bridge_group_zone"),
    devices: await texts("select device_id || ' ' || zone_id as listed from dim_device"),
    campaigns: await texts(
      `select kind || ' ' || campaign_id || ' ' || campaign_name || ' ' || coalesce(rrule, '') as listed
      from dim_campaign where is_listed`,
    ),
  };
}

export function trueListings({ emulator }: Setup): Listings {
  const { world } = emulator;
  const at = emulator.now();
  const each = (list: (groupId: number) => string[]) => [...new Set(world.groupIds.flatMap(list))].sort();
  return {
    groups: each((groupId) => world.zonesOfGroup(groupId).map(({ zoneId }) => `${groupId} ${zoneId}`)),
    devices: each((groupId) =>
      world.devices(groupId, at).map(({ device_id, zone_id }) => `${device_id} ${zone_id}`),
    ),
    campaigns: each((groupId) =>
      (["signage", "messaging"] as const).flatMap((kind) =>
        world
          .campaigns(kind, groupId, at)
          .map(({ campaign_id, name, rrule }) => `${kind} ${campaign_id} ${name} ${rrule}`),
      ),
    ),
  };
}
