import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "../../support/temp-folder.ts";

/** A folder of reference files by name; others are missing. */
export function writeReference(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = join(createTempFolder(), "reference");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

export const zoneTimeZones = (lines: string) => ({ "zone_time_zones.csv": `zone_id,time_zone\n${lines}` });
export const groupNames = (lines: string) => ({ "group_names.csv": `group_id,group_name\n${lines}` });
export const openingHours = (lines: string) => ({
  "opening_hours.csv": `zone_id,day_of_week,opens,closes\n${lines}`,
});
