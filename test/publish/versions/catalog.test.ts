import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { listModels } from "../../../src/mart/model.ts";
import { itEachSampled, itInAll } from "../../support/long-suite.ts";
import { PublishedWarehouse, song } from "../published-warehouse.ts";

const plays = ["2026-09-30", "2026-10-05", "2026-10-07", "2026-10-31"];
const openPublished = PublishedWarehouse.prepareCopies(async (empty) => {
  await empty.addPlays(plays.map((date) => song(`${date} 10:00:00`)));
  await empty.buildAndPublish();
});

let published: PublishedWarehouse;
/** A copy of the published folder when it had four plays; the original has five by now. */
let copy: string;
/** Next to both. */
let elsewhere: string;
beforeEach(async () => {
  published = await openPublished();
  await published.buildAndPublish();
  copy = join(dirname(published.folder), "copy");
  elsewhere = join(dirname(published.folder), "elsewhere");
  mkdirSync(elsewhere);
  copyFolder(published.folder, copy);
  await published.addPlays([song("2026-11-01 10:00:00")]);
  await published.buildAndPublish();
});

const inOriginal = [{ plays: 5 }];
const inCopy = [{ plays: 4 }];

it("shows the current version through views with the models' columns", async () => {
  await withCatalog(catalogIn(published.folder), async (catalog) => {
    expect(await catalog.all("select count(*) as plays, max(date) as last from fact_play")).toEqual([
      { plays: 5, last: "2026-11-01" },
    ]);
    for (const { table, columns } of listModels().filter(({ schema }) => schema === "mart")) {
      const rows = await catalog.all<{ column_name: string }>(`describe ${table}`);
      expect(rows.map((row) => row.column_name)).toEqual(columns.map(({ name }) => name));
    }
  });
});

itInAll("keeps showing the current version while it stays open", async () => {
  await withCatalog(catalogIn(published.folder), async (catalog) => {
    await published.addPlays([song("2026-11-02 10:00:00")]);
    await published.buildAndPublish();
    expect(await countPlays(catalog)).toEqual([{ plays: 6 }]);
  });
});

itEachSampled(
  [
    ["renamed", (from: string, to: string) => renameSync(from, to)],
    ["copied", copyFolder],
  ] as const,
  1,
)("opens the catalog after the folder was %s to", async ([_label, move]) => {
  // DuckDB would read columns from this path.
  const moved = join(elsewhere, "date=2", "kind=x", "it's [1]*");
  mkdirSync(dirname(moved), { recursive: true });
  move(published.folder, moved);
  rmSync(published.folder, { recursive: true, force: true });
  await withCatalog(catalogIn(moved), async (catalog) => {
    expect(await countPlays(catalog)).toEqual(inOriginal);
    expect(await catalog.all("select count(distinct kind) as kinds from dim_kind")).toEqual([{ kinds: 3 }]);
  });
});

itInAll("shows its own rows, or an error, when opened by a relative path", async () => {
  for (const folder of [elsewhere, published.folder, dirname(published.folder)]) {
    await inFolder(folder, async () => {
      await withCatalog(relative(folder, catalogIn(published.folder)), async (catalog) => {
        expect(await countPlays(catalog)).toEqual(inOriginal);
      });
      await withCatalog(relative(folder, catalogIn(copy)), async (catalog) => {
        await expect(countPlays(catalog)).rejects.toThrow(`Open ${copy}/catalog.duckdb by its full path`);
      });
    });
  }
});

itInAll("shows its own rows through links", async () => {
  const link = join(elsewhere, "link");
  symlinkSync(published.folder, link);
  for (const path of [link, copy, published.folder].map(catalogIn))
    await withCatalog(":memory:", async (session) => {
      await session.run(`attach '${path}' as venue (read_only)`);
      if (path === catalogIn(copy)) await expect(countPlays(session, "venue")).rejects.toThrow(copy);
      else expect(await countPlays(session, "venue")).toEqual(inOriginal);
    });
});

itInAll("is written for the target of a link, and for the link", async () => {
  const real = join(elsewhere, "real");
  renameSync(published.folder, real);
  symlinkSync(real, published.folder);
  await published.buildAndPublish();
  for (const path of [published.folder, real].map(catalogIn)) {
    await withCatalog(path, async (catalog) => expect(await countPlays(catalog)).toEqual(inOriginal));
    await withCatalog(":memory:", async (session) => {
      await session.run(`attach '${path}' as venue (read_only)`);
      expect(await countPlays(session, "venue")).toEqual(inOriginal);
    });
  }
});

itEachSampled(
  [
    ["opened by its full path", (path: string) => path],
    ["opened by a relative path", (path: string) => relative(process.cwd(), path)],
  ],
  1,
)("never shows the rows of another catalog %s", async ([_label, spell]) => {
  for (const [first, second, rows] of [
    [published.folder, copy, inOriginal],
    [copy, published.folder, inCopy],
  ] as const) {
    await withCatalog(spell(catalogIn(first)), async (session) => {
      await session.run(`attach '${catalogIn(second)}' as other (read_only)`);
      const other = rows === inCopy ? inOriginal : inCopy;
      for (const [schema, own] of [
        ["catalog", rows],
        ["other", other],
      ] as const) {
        const outcome = await countPlays(session, schema).catch((error: Error) => error.message);
        if (typeof outcome === "string") expect(outcome).toContain("would read the files of");
        else expect(outcome).toEqual(own);
      }
    });
  }
});

itInAll("fails if its folder was moved and temp_directory is set, whatever the query", async () => {
  await withCatalog(catalogIn(copy), async (session) => {
    await session.run(`set temp_directory = '${elsewhere}'`);
    for (const query of [
      "select * from fact_play",
      "select count(*) from fact_play where date = date '1999-01-01'",
      "select count(*) from fact_play where zone_id = -1",
      "select max(zone_id) from dim_zone",
      "select count(*) from fact_outage",
      "select 1 where exists (from fact_play where zone_id = -1)",
    ])
      await expect(session.all(query), query).rejects.toThrow("would read the files of");
  });
});

function catalogIn(folder: string): string {
  return join(folder, "catalog.duckdb");
}

function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

async function countPlays(session: DuckDb, name = "catalog"): Promise<unknown> {
  return await session.all(`select count(*) as plays from ${name}.fact_play where year(date) = 2026`);
}

async function withCatalog(path: string, use: (session: DuckDb) => Promise<void>): Promise<void> {
  const session = await DuckDb.open({ path, readOnly: path !== ":memory:" });
  try {
    await use(session);
  } finally {
    session.close();
  }
}

async function inFolder(folder: string, use: () => Promise<void>): Promise<void> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    await use();
  } finally {
    process.chdir(before);
  }
}
