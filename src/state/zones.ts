import type { Sqlite } from "./sqlite.ts";

/** Which zones there are to ask about. */
export class Zones {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Notes what a group's newest devices listing named: these are its zones, and they are there. */
  replaceGroup(service: string, groupId: number, zoneIds: ReadonlySet<number>, seenAt: Date): void {
    this.#database.immediate(() => {
      this.#database.run("delete from group_zone where service = ? and group_id = ?", [service, groupId]);
      for (const zoneId of zoneIds) {
        this.#database.run("insert into group_zone values (?, ?, ?, ?)", [
          service,
          groupId,
          zoneId,
          seenAt.toISOString(),
        ]);
        this.#database.run("delete from gone_zone where service = ? and zone_id = ?", [service, zoneId]);
      }
    });
  }

  /** Zones of a group, as its newest devices listing named them; empty where there was none. */
  ofGroup(service: string, groupId: number): number[] {
    return this.#database
      .all<{ zone_id: number }>(
        "select zone_id from group_zone where service = ? and group_id = ? order by zone_id",
        [service, groupId],
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
