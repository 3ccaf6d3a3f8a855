import { listSql } from "../../util/files/package-files.ts";
import {
  isOfPlaces,
  selectCampaigns,
  selectGroups,
  selectGroupZones,
  selectKinds,
  selectZones,
} from "../catalog/chosen.ts";
import { filters } from "../catalog/filters.ts";
import { selectNewestLoads } from "../catalog/loads.ts";
import { currentGroup, listedZone } from "../catalog/zone-parts.ts";
import type { ListQuery } from "./request.ts";
import { date, fill, instant, int, isIn, join, type Sql, sql } from "./sql.ts";

/** Inputs of a file below `sql/reports/`. */
export interface FileQuery extends ListQuery {
  /** Time from which ages are calculated. */
  now?: Date;
}

/** Lists the files of a folder below `sql/reports/`, without extension. */
export function listReportFiles(folder: string): string[] {
  return listSql(`reports/${folder}`).map((file) => `${folder}/${file.slice(0, -".sql".length)}`);
}

/**
 * Returns the statement of a file below `sql/reports/`, whose holes are
 *
 * - the dates `from` and `to`, and the instant `now`
 * - `zones`, `groups`, `campaigns`, `kinds`: selects of the requested keys; `devices`: their ids
 * - `group_zones`: the requested groups' zones
 * - `of_kinds`, `of_groups`, `of_places`: conditions for loads and listings `f`
 * - `newest_load`, `current_group`, `listed_zone`: selects used by several files
 *
 * @param pieces for further holes
 */
export function fillFile(file: string, query: FileQuery, pieces: Readonly<Record<string, Sql>> = {}): Sql {
  const { period, now, where = {} } = query;
  return fill(`reports/${file}.sql`, {
    zones: selectZones(query),
    groups: selectGroups(query),
    group_zones: selectGroupZones(query),
    campaigns: selectCampaigns(query),
    kinds: selectKinds(query),
    devices: where.device ? join(where.device.map(int)) : sql`null`,
    of_kinds: where.kind ? filters.kind.where(where.kind) : sql`true`,
    of_groups: where.group ? isIn(sql`f.group_id`, where.group, int) : sql`true`,
    of_places: isOfPlaces(query),
    newest_load: selectNewestLoads(query),
    current_group: currentGroup,
    listed_zone: listedZone[1],
    ...(period && { from: date(period.from), to: date(period.to) }),
    ...(now && { now: instant(now) }),
    ...pieces,
  });
}
