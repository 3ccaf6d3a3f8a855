import type { Kind } from "../../util/kind.ts";
import type { Sqlite } from "../sqlite.ts";

/** Size of a zone's loaded history of one kind. */
export interface HistorySize {
  kind: Kind;
  zoneId: number;
  records: number;
  /** Average over the last 14 days of the history. */
  recordsPerDay: number;
}

/** A zone that occurs in a group's exports. */
export interface ExportedZone {
  groupId: number;
  zoneId: number;
}

/** Sizes of loaded histories, and the zones in exports. Plans use them to estimate costs. */
export interface HistoryKnowledge {
  sizes: readonly HistorySize[];
  zones: readonly ExportedZone[];
}

export class Histories {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  get isEmpty(): boolean {
    return this.#database.find("select 1 from zone_history limit 1") === undefined;
  }

  replace({ sizes, zones }: HistoryKnowledge): void {
    this.#database.immediate(() => {
      this.#database.run("delete from zone_history");
      this.#database.run("delete from exported_zone");
      this.#database.run(
        `insert into zone_history
         select value ->> 'kind', value ->> 'zoneId', value ->> 'records', cast(value ->> 'recordsPerDay' as real)
         from json_each(?)`,
        [JSON.stringify(sizes)],
      );
      this.#database.run(
        "insert into exported_zone select value ->> 'groupId', value ->> 'zoneId' from json_each(?)",
        [JSON.stringify(zones)],
      );
    });
  }

  /** Returns the size of a zone's history of one kind; `undefined` if nothing was loaded. */
  findSize(kind: Kind, zoneId: number): Pick<HistorySize, "records" | "recordsPerDay"> | undefined {
    return this.#database.find(
      'select records, records_per_day as "recordsPerDay" from zone_history where kind = ? and zone_id = ?',
      [kind, zoneId],
    );
  }

  /** Returns the zones that occur in the group's exports. */
  zonesOfGroup(groupId: number): number[] {
    return this.#database.values("select zone_id from exported_zone where group_id = ? order by zone_id", [
      groupId,
    ]);
  }
}
