import type { Sqlite, SqliteParameter } from "../sqlite.ts";

export class Zones {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /**
   * Records the zones in a group's latest device listing. Call it in the transaction that records the listing. An
   * empty listing removes no zones: it may be a temporary fault, and if the zones no longer exist, the service refuses
   * requests for them.
   */
  replaceGroup(service: string, groupId: number, zoneIds: ReadonlySet<number>, seenAt: Date): void {
    if (zoneIds.size === 0) return;
    this.#database.run(
      "update group_zone set left_at = ? where service = ? and group_id = ? and left_at is null",
      [seenAt, service, groupId],
    );
    for (const zoneId of zoneIds) {
      this.#database.run(
        "insert or replace into group_zone (service, group_id, zone_id, seen_at) values (?, ?, ?, ?)",
        [service, groupId, zoneId, seenAt],
      );
      this.#database.run("delete from gone_zone where service = ? and zone_id = ?", [service, zoneId]);
    }
  }

  /** Returns the zones in a group's latest device listing; empty if there is none. */
  ofGroup(service: string, groupId: number): number[] {
    return this.#select("service = ? and group_id = ? and left_at is null", [service, groupId]);
  }

  /** Returns the zones that left a group's device listing after an instant on the data's clock. */
  listLeftGroup(service: string, groupId: number, after: Date): number[] {
    return this.#select("service = ? and group_id = ? and left_at > ?", [service, groupId, after]);
  }

  /**
   * Returns true if the latest device listing of one of these groups contains the zone. Other groups are
   * ignored, because their listings may be old.
   */
  isListed(service: string, zoneId: number, groupIds: readonly number[]): boolean {
    const groups = this.#database.values<number>(
      "select group_id from group_zone where service = ? and zone_id = ? and left_at is null",
      [service, zoneId],
    );
    return groups.some((groupId) => groupIds.includes(groupId));
  }

  #select(condition: string, parameters: SqliteParameter[]): number[] {
    return this.#database.values(
      `select zone_id from group_zone where ${condition} order by zone_id`,
      parameters,
    );
  }

  /** Marks a zone as unknown to the service. It is not requested until a listing contains it again. */
  markGone(service: string, zoneId: number, goneAt: Date): void {
    this.#database.run("insert or replace into gone_zone values (?, ?, ?)", [service, zoneId, goneAt]);
  }

  gone(service: string): Set<number> {
    return new Set(this.#database.values("select zone_id from gone_zone where service = ?", [service]));
  }
}
