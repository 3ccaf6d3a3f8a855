import type { Sqlite } from "../sqlite.ts";

/** Which zones there are to ask about. */
export class Zones {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /**
   * Notes what a group's newest devices listing named: these are its zones, and they are there. One that names none
   * moves no zone out: it may be a moment's fault, and a zone that is really gone says so when it is asked.
   * To be called in the transaction that records the listing.
   */
  replaceGroup(service: string, groupId: number, zoneIds: ReadonlySet<number>, seenAt: Date): void {
    if (zoneIds.size === 0) return;
    const at = seenAt.toISOString();
    this.#database.run(
      "update group_zone set left_at = ? where service = ? and group_id = ? and left_at is null",
      [at, service, groupId],
    );
    for (const zoneId of zoneIds) {
      this.#database.run(
        "insert or replace into group_zone (service, group_id, zone_id, seen_at) values (?, ?, ?, ?)",
        [service, groupId, zoneId, at],
      );
      this.#database.run("delete from gone_zone where service = ? and zone_id = ?", [service, zoneId]);
    }
  }

  /** Zones of a group, as its newest devices listing named them; empty where there was none. */
  ofGroup(service: string, groupId: number): number[] {
    return this.#select("service = ? and group_id = ? and left_at is null", [service, groupId]);
  }

  /** Zones that left a group's devices listing after an instant of data's time. */
  leftGroup(service: string, groupId: number, after: Date): number[] {
    return this.#select("service = ? and group_id = ? and left_at > ?", [
      service,
      groupId,
      after.toISOString(),
    ]);
  }

  /** Whether the newest devices listing of one of these groups names it: that of another may be of long ago. */
  isListed(service: string, zoneId: number, groupIds: readonly number[]): boolean {
    const groups = this.#database.all<{ group_id: number }>(
      "select group_id from group_zone where service = ? and zone_id = ? and left_at is null",
      [service, zoneId],
    );
    return groups.some(({ group_id }) => groupIds.includes(group_id));
  }

  #select(condition: string, parameters: (string | number)[]): number[] {
    return this.#database
      .all<{ zone_id: number }>(
        `select zone_id from group_zone where ${condition} order by zone_id`,
        parameters,
      )
      .map(({ zone_id }) => zone_id);
  }

  /** The service knows no such zone any more: nobody asks for it until a listing names it again. */
  markGone(service: string, zoneId: number, goneAt: Date): void {
    this.#database.run("insert or replace into gone_zone values (?, ?, ?)", [
      service,
      zoneId,
      goneAt.toISOString(),
    ]);
  }

  gone(service: string): Set<number> {
    const rows = this.#database.all<{ zone_id: number }>("select zone_id from gone_zone where service = ?", [
      service,
    ]);
    return new Set(rows.map(({ zone_id }) => zone_id));
  }
}
