import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";
import type { Kind } from "../../util/kind.ts";

/** What the warehouse tells of zones' histories: for plans, and for which zones there are. */
export interface HistoryKnowledge {
  /** Of one kind and zone; `undefined`: nothing was loaded. */
  find(kind: Kind, zoneId: number): { records: number; recordsPerDay: number } | undefined;
  /** Zones that exports of a group held. */
  zonesOfGroup(groupId: number): readonly number[];
}

export const noKnowledge: HistoryKnowledge = { find: () => undefined, zonesOfGroup: () => [] };

export async function readHistoryKnowledge(warehouse: DuckDb): Promise<HistoryKnowledge> {
  const histories = await warehouse.all<{
    kind: Kind;
    zoneId: number;
    records: number;
    recordsPerDay: number;
  }>(readSql("sync/zone_history.sql"));
  const byZone = new Map(histories.map((history) => [`${history.kind} ${history.zoneId}`, history]));
  const members = await warehouse.all<{ groupId: number; zoneId: number }>(readSql("sync/zone_groups.sql"));
  return {
    find: (kind, zoneId) => byZone.get(`${kind} ${zoneId}`),
    zonesOfGroup: (groupId) =>
      members.filter((member) => member.groupId === groupId).map(({ zoneId }) => zoneId),
  };
}

/** Those of the landings that this warehouse never loaded: it was replaced, or they were lost. */
export async function findLostLandings(
  warehouse: DuckDb,
  landingIds: readonly string[],
): Promise<Set<string>> {
  const rows = await warehouse.all<{ landingId: string }>(readSql("sync/lost_landings.sql"), [
    JSON.stringify(landingIds),
  ]);
  return new Set(rows.map(({ landingId }) => landingId));
}
