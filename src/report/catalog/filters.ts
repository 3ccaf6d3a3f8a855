import { int, isIn, sql, text } from "../compile/sql.ts";
import type { Filter } from "./aggregate-report.ts";

/** Filters that reports share. A zone is counted once, even if it belongs to several of the groups. */
export const filters = {
  zone: { needs: ["zone"], where: (ids) => isIn(sql`f.zone_id`, ids, int) },
  location: {
    needs: ["zone"],
    where: (ids) =>
      sql`f.zone_id in (select zone_id from dim_zone where ${isIn(sql`location_id`, ids, int)})`,
  },
  group: {
    needs: ["zone"],
    where: (ids) =>
      sql`f.zone_id in (select zone_id from bridge_group_zone where ${isIn(sql`group_id`, ids, int)})`,
  },
  device: { needs: ["device"], where: (ids) => isIn(sql`f.device_id`, ids, int) },
  kind: { needs: ["kind"], where: (kinds) => isIn(sql`f.kind`, kinds, text) },
  campaign: { needs: ["campaign"], where: (keys) => isIn(sql`f.campaign_key`, keys, int) },
} satisfies Record<string, Filter>;
