import { randomUUID } from "node:crypto";
import { parseStored, type Sqlite } from "../sqlite.ts";
import type { UnfinishedWork } from "./runs.ts";

/** A collector of the store from which this data folder last loaded. */
export interface Collector {
  name: string;
  host: string;
  /** Request time of its last landing. */
  lastLandingAt: Date | undefined;
  unfinished: readonly UnfinishedWork[];
}

interface CollectorRow {
  name: string;
  host: string;
  last_landing_at: string | null;
  unfinished: string;
}

/** This data folder's use of landing stores. */
export class Stores {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Returns the unique id of this data folder. */
  identify(): string {
    return this.#database.immediate(() => {
      const found = this.#database.find<{ id: string }>("select id from data_folder");
      if (found) return found.id;
      const id = randomUUID();
      this.#database.run("insert into data_folder (id) values (?)", [id]);
      return id;
    });
  }

  /** Epoch of the loader's last acknowledgement: `none` before the first, empty before the first collection. */
  get epoch(): string {
    return this.#database.find<{ epoch: string }>("select epoch from data_folder")?.epoch ?? "";
  }

  setEpoch(epoch: string): void {
    this.#database.run("update data_folder set epoch = ?", [epoch]);
  }

  /** Time by which the service's clock was ahead of this machine's in the last run, in milliseconds. */
  get clockOffsetMs(): number {
    return this.#database.find<{ ms: number }>("select clock_offset_ms as ms from data_folder")?.ms ?? 0;
  }

  setClockOffset(milliseconds: number): void {
    this.#database.run("update data_folder set clock_offset_ms = ?", [milliseconds]);
  }

  replaceCollectors(collectors: readonly Collector[]): void {
    this.#database.immediate(() => {
      this.#database.run("delete from collector");
      for (const { name, host, lastLandingAt, unfinished } of collectors)
        this.#database.run("insert into collector values (?, ?, ?, ?)", [
          name,
          host,
          lastLandingAt,
          JSON.stringify(unfinished),
        ]);
    });
  }

  /** Lists collectors by the age of their last landing, oldest first. */
  listCollectors(): Collector[] {
    return this.#database
      .all<CollectorRow>("select * from collector order by last_landing_at, name")
      .map(({ name, host, last_landing_at, unfinished }) => ({
        name,
        host,
        lastLandingAt: last_landing_at === null ? undefined : new Date(last_landing_at),
        unfinished: parseStored<UnfinishedWork[]>(this.#database.path, unfinished),
      }));
  }
}
