import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import type { SqlRow } from "../../src/engines/sql-text.ts";
import { type HistoryLanding, type LoadResult, loadHistory } from "../../src/load/history/load-history.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { createTempFolder } from "../support/temp-folder.ts";

export interface LoadFixture {
  folder: string;
  warehouse: DuckDb;
  load(content: readonly string[] | Buffer, overrides?: Partial<HistoryLanding>): Promise<LoadResult>;
  /** All of core that a load may change except its ledger row and rejects, sorted, without load ids. */
  state(): Promise<CoreState>;
}

interface CoreState {
  play: SqlRow[];
  names: SqlRow[];
  locations: SqlRow[];
  sightings: SqlRow[];
  dirty: SqlRow[];
  zoneDays: SqlRow[];
}

interface LoadFixtureOptions {
  /** @default an empty one */
  warehouse?: DuckDb;
}

export async function createLoadFixture({ warehouse: given }: LoadFixtureOptions = {}): Promise<LoadFixture> {
  const folder = createTempFolder();
  const warehouse = given ?? (await openNewWarehouse({ folder }));
  // Another fixture may have filled it.
  let { landings } = await warehouse.get<{ landings: number }>("select count(*) as landings from core.load");
  return {
    folder,
    warehouse,
    async load(content, overrides = {}) {
      landings += 1;
      const path = join(
        folder,
        `landing-${landings}.jsonl${Buffer.isBuffer(content) && isGzip(content) ? ".gz" : ""}`,
      );
      writeFileSync(path, Buffer.isBuffer(content) ? content : content.map((line) => `${line}\n`).join(""));
      return await loadHistory(
        warehouse,
        {
          landingId: `landing-${landings}`,
          path,
          kind: "music",
          source: "export",
          groupId: 1,
          requestedAt: new Date("2026-06-01T00:00:00Z"),
          isComplete: true,
          ...overrides,
        },
        { loadedAt: new Date("2026-06-02T00:00:00Z") },
      );
    },
    async state() {
      return {
        play: await warehouse.all(
          "select * exclude (first_load_id, last_load_id, line_hash) from core.play order by kind, zone_id, played_at, item_id",
        ),
        names: await warehouse.all("select * from core.name_span order by subject, kind, id, name"),
        locations: await warehouse.all("select * from core.zone_location_span order by all"),
        sightings: await warehouse.all("select * from core.zone_group_sighting order by all"),
        dirty: await warehouse.all("select distinct * from core.dirty_day order by all"),
        zoneDays: await warehouse.all("select * from core.zone_day order by all"),
      };
    },
  };
}

function isGzip(content: Buffer): boolean {
  return content[0] === 0x1f && content[1] === 0x8b;
}

/** A music line in the service's format, with the given values. */
export function musicLine(values: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    location_id: 51,
    location_name: "Main Street",
    zone_id: 7,
    zone_name: "Ground floor",
    duration_secs: 200,
    play_start: "2026-03-10T12:00:00+01:00",
    song_id: 300,
    song_name: "A song",
    artist_id: 40,
    artist_name: "An artist",
    ...values,
  });
}

/** Nonzero counts of a load's lines by outcome. */
export function countsOf(result: LoadResult): Record<string, number> {
  const { lines, newPlays, changed, unchanged, duplicate, rejected, blank, zeroSecond, vanished } = result;
  const counts = { lines, newPlays, changed, unchanged, duplicate, rejected, blank, zeroSecond, vanished };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}
