import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "../config/data-folder.ts";
import type { World } from "../emulator/world/world.ts";
import { copyExampleReference } from "../load/reference/apply-reference.ts";

const regions: Readonly<Record<string, readonly [region: string, manager: string]>> = {
  "New York": ["US East", "Dana Ruiz"],
  "Los Angeles": ["US West", "Sam Okafor"],
  Berlin: ["Europe", "Jana Vogel"],
  Bengaluru: ["India", "Asha Rao"],
  Mumbai: ["India", "Asha Rao"],
};

/** Brands by a word in the location's name. All other locations are shops. */
const brands: readonly (readonly [word: RegExp, brand: string])[] = [
  [/Bar$/, "Night Owl"],
  [/Gym|Fitness/, "Pulse Gym"],
];
const shops = "Corner Shop";
/** This location changes its brand during the demo's period. */
const takenOver = { location: "Pico Deli", until: "2026-10-31", from: "2026-11-01", brand: "Pico Family" };

/** Campaigns with an advertiser. */
const advertisers = `kind,campaign_id,campaign_name,advertiser
signage,2,Autumn Menu,Fresh & Co
signage,3,Weekend Brunch,Fresh & Co
signage,6,Lunch Deals,Fresh & Co
signage,9,Ten Day Sale,Summit Sports
signage,10,Festival Run,Summit Sports
signage,13,Late Night,Spree Brewery
messaging,5,First Aid Course,Safe Hands
`;

/** Booked plays of some campaigns. */
const targets = `kind,campaign_id,campaign_name,valid_from,valid_to,plays,plays_per_zone_day,compliance,impressions
signage,2,Autumn Menu,2026-10-01,2026-11-07,12000,,95 %,25000
signage,6,Lunch Deals,2026-11-01,2026-12-31,8000,,,
signage,13,Late Night,2026-11-01,2026-11-30,2400,,95 %,
signage,14,Gift Cards,2026-10-24,2026-12-24,,55,,
`;

/** People per hour on weekdays and at weekends, in the locations that have counters. */
const visitors: Readonly<Record<string, readonly [weekday: number, weekend: number]>> = {
  "Harbor Market": [120, 210],
  "Kantstraße Markt": [80, 150],
  "Pico Deli": [40, 45],
};

/** Adds attributes (region, brand and manager of zones, advertiser of campaigns), bookings and footfall to a new demo. */
export function provideDemoReference(folder: DataFolder, { zones }: Pick<World, "zones">): void {
  if (existsSync(folder.reference)) return;
  copyExampleReference(folder);
  const lines = zones.flatMap(({ zoneId, location: { name, city } }) => {
    const [region = "", manager = ""] = regions[city] ?? [];
    const brand = brands.find(([word]) => word.test(name))?.[1] ?? shops;
    const line = (ownBrand: string, from = "", to = "") =>
      [zoneId, name, region, ownBrand, manager, from, to].join();
    return name === takenOver.location
      ? [line(takenOver.brand, "", takenOver.until), line(brand, takenOver.from)]
      : [line(brand)];
  });
  const header = "zone_id,location_name,region,brand,manager,valid_from,valid_to";
  writeFileSync(join(folder.reference, "zone_attributes.csv"), `${[header, ...lines].join("\n")}\n`);
  writeFileSync(join(folder.reference, "campaign_attributes.csv"), advertisers);
  writeFileSync(join(folder.reference, "campaign_targets.csv"), targets);
  const locations = new Map(zones.map(({ location: { name, locationId } }) => [name, locationId]));
  const footfall = Object.entries(visitors).flatMap(([name, [weekday, weekend]]) =>
    [1, 2, 3, 4, 5, 6, 7].map((day) =>
      [
        "",
        locations.get(name),
        day,
        "07:00",
        "22:00",
        day < 6 ? weekday : weekend,
        "",
        90,
        "door counter",
        "",
        "",
      ].join(),
    ),
  );
  // After the example's header and comments.
  appendFileSync(join(folder.reference, "footfall.csv"), `${footfall.join("\n")}\n`);
}
