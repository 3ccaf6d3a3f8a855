import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { findManifest } from "../../src/mart/manifest.ts";
import { listModels } from "../../src/mart/model.ts";
import { publishMart } from "../../src/publish/publish-mart.ts";
import { softwareCommit } from "../../src/util/files/package-files.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { itEachSampled, itInAll } from "../support/long-suite.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

const marts = listModels().filter(({ schema }) => schema === "mart");
const september = "fact_play/month=2026-09/data.parquet";
const october = "fact_play/month=2026-10/data.parquet";

const plays = [
  song("2026-10-05 10:00:00", 2),
  song("2026-10-31 23:59:59", 1),
  song("2026-10-07 10:00:00", 1),
  song("2026-09-30 10:00:00"),
];
const openUnpublished = PublishedWarehouse.prepareCopies((empty) => empty.addPlays(plays));
const openPublished = PublishedWarehouse.prepareCopies(async (empty) => {
  await empty.addPlays(plays);
  await empty.buildAndPublish();
});

let published: PublishedWarehouse;
beforeEach(async () => {
  published = await openPublished();
});

it("arranges a version as documented", async () => {
  const { version, folder } = published.last;
  expect(version).toBe("v000001");
  expect(readdirSync(published.folder).sort()).toEqual(["catalog.duckdb", "current", "v000001"]);
  expect(readlinkSync(join(published.folder, "current"))).toBe("v000001");
  const tables = marts.map(({ table, published: { isByMonth } }) => (isByMonth ? table : `${table}.parquet`));
  expect(readdirSync(folder).sort()).toEqual(
    [...tables, "dictionary.html", "dictionary.json", "manifest.json"].sort(),
  );
  expect(readdirSync(join(folder, "fact_play"))).toEqual(["month=2026-09", "month=2026-10"]);
  // A folder `month=…` would collide with the table's own column.
  expect(readdirSync(join(folder, "fact_play_month"))).toEqual(["2026-09", "2026-10"]);
});

it("records in the manifest what the files contain", async () => {
  const { folder } = published.last;
  const manifest = findManifest(folder);
  expect(manifest).toMatchObject({
    version: "v000001",
    built_at: "2026-11-21T08:00:00.000Z",
    data_as_of: null,
    software_version: "1.2.3",
    software_commit: softwareCommit(),
  });
  expect(Object.keys(manifest?.tables ?? {}).sort()).toEqual(marts.map(({ table }) => table).sort());
  expect(manifest?.tables.fact_play).toMatchObject({
    partitioned: true,
    rows: 4,
    files: [
      { path: september, rows: 1, min_date: "2026-09-30", max_date: "2026-09-30" },
      { path: october, rows: 3, min_date: "2026-10-05", max_date: "2026-10-31" },
    ],
  });
  for (const { path, bytes, sha256, rows } of Object.values(manifest?.tables ?? {}).flatMap(
    ({ files }) => files,
  )) {
    const content = readFileSync(join(folder, path));
    expect([content.length, createHash("sha256").update(content).digest("hex")]).toEqual([bytes, sha256]);
    expect(await published.read(`select count(*) as rows from '{}/${path}'`)).toEqual([{ rows }]);
  }
});

it("publishes instants as instants, local times as plain times, sorted by zone and time", async () => {
  const types = await published.read<{ column_name: string; column_type: string }>(
    `select column_name, column_type from (describe select * from '{}/${october}')`,
  );
  expect(Object.fromEntries(types.map((row) => [row.column_name, row.column_type]))).toMatchObject({
    played_at: "TIMESTAMP WITH TIME ZONE",
    played_at_local: "TIMESTAMP",
    date: "DATE",
    zone_id: "BIGINT",
    is_short: "BOOLEAN",
  });
  const rows = `select zone_id, played_at::varchar as at from read_parquet('{}/${october}', file_row_number = true)`;
  expect(await published.read(`${rows} order by file_row_number`)).toEqual([
    { zone_id: 1, at: "2026-10-07 10:00:00+00" },
    { zone_id: 1, at: "2026-10-31 23:59:59+00" },
    { zone_id: 2, at: "2026-10-05 10:00:00+00" },
  ]);
  expect(await published.read(`select distinct compression from parquet_metadata('{}/${october}')`)).toEqual([
    { compression: "ZSTD" },
  ]);
});

itInAll("links unchanged months, and writes the others", async () => {
  const first = published.last;
  await published.addPlays([song("2026-10-06 10:00:00"), song("2026-11-01 10:00:00")]);
  const second = await published.buildAndPublish();
  const inode = (folder: string, path: string) => statSync(join(folder, path)).ino;
  expect(inode(second.folder, september)).toBe(inode(first.folder, september));
  expect(inode(second.folder, october)).not.toBe(inode(first.folder, october));
  expect(second.linkedFiles).toBe(6);
  expect(await playsByMonth()).toEqual({ "2026-09-01": 1, "2026-10-01": 4, "2026-11-01": 1 });
  expect(await playDates()).toHaveLength(6);
  expect(second.manifest.tables.fact_play?.rows).toBe(6);
  // The previous version is unchanged.
  expect(first.manifest).toEqual(findManifest(first.folder));
});

itInAll("splits a month with many plays by days, and writes only the changed parts", async () => {
  published = await openUnpublished();
  const options = { rowsPerFile: 2 };
  const filesOf = (folder: string) =>
    findManifest(folder)?.tables.fact_play?.files.map(
      ({ path, rows }) => `${path.slice("fact_play/month=2026".length)} ${rows}`,
    );
  const first = await published.buildAndPublish(false, options);
  expect(filesOf(first.folder)).toEqual([
    ...["-09/data.parquet 1", "-10/data-08.parquet 1", "-10/data.parquet 2"],
  ]);
  await published.addPlays([song("2026-10-31 12:00:00"), song("2026-11-01 10:00:00", 3)]);
  const second = await published.buildAndPublish(false, options);
  const inode = (folder: string, path: string) => statSync(join(folder, path)).ino;
  const laterOctober = october.replace("data", "data-08");
  expect(inode(second.folder, october)).toBe(inode(first.folder, october));
  expect(inode(second.folder, laterOctober)).not.toBe(inode(first.folder, laterOctober));
  expect(await playDates()).toHaveLength(6);
  // A growing day may end one part earlier: the parts that follow hold other days.
  await published.addPlays([song("2026-10-05 12:00:00")]);
  const third = await published.buildAndPublish(false, options);
  expect(filesOf(third.folder)).toEqual([
    ...["-09/data.parquet 1", "-10/data-06.parquet 3", "-10/data.parquet 2", "-11/data.parquet 1"],
  ]);
  expect(await playDates()).toHaveLength(7);
  expect((await published.buildAndPublish(false, options)).linkedFiles).toBe(
    Object.values(third.manifest.tables).flatMap(({ partitioned, files }) =>
      partitioned ? files.filter(({ rows }) => rows > 0) : [],
    ).length,
  );
});

itInAll("rewrites a damaged part of a changed month", async () => {
  published = await openUnpublished();
  const options = { rowsPerFile: 2 };
  const first = await published.buildAndPublish(false, options);
  truncateSync(join(first.folder, october), 10);
  await published.addPlays([song("2026-10-31 12:00:00")]);
  await published.buildAndPublish(false, options);
  expect(await playDates()).toHaveLength(5);
});

const damages: readonly [label: string, damage: (file: string) => void][] = [
  ["was truncated", (file: string) => truncateSync(file, 10)],
  [
    "was damaged without a change of size",
    (file: string) => writeFileSync(file, readFileSync(file).fill(0, 200, 260)),
  ],
  ["has no manifest", (file: string) => writeFileSync(join(dirname(file), "../../manifest.json"), "{")],
];
itEachSampled(damages, 1)(
  "writes an unchanged month again if the previous version %s",
  async ([_label, damage]) => {
    const first = published.last;
    damage(join(first.folder, september));
    await published.buildAndPublish();
    expect(await playDates()).toHaveLength(4);
  },
);

itInAll("links files copied or touched since if their content is the same", async () => {
  const first = published.last;
  utimesSync(join(first.folder, september), new Date(), new Date());
  const second = await published.buildAndPublish();
  const inode = (folder: string) => statSync(join(folder, september)).ino;
  expect(inode(second.folder)).toBe(inode(first.folder));
});

itInAll(
  "writes everything after a full build, and if readers were switched to an older version",
  async () => {
    expect((await published.buildAndPublish(true)).linkedFiles).toBe(0);
    expect((await published.buildAndPublish()).linkedFiles).toBe(12);
    rmSync(join(published.folder, "current"));
    symlinkSync("v000001", join(published.folder, "current"));
    expect(await published.buildAndPublish()).toMatchObject({ version: "v000004", linkedFiles: 0 });
  },
);

itInAll("drops an emptied month", async () => {
  await published.addExport("2026-11-21 04:00:00");
  await published.buildAndPublish();
  await published.warehouse.run("delete from core.play where date = '2026-09-30'");
  await published.warehouse.run("insert into core.dirty_day values ('music', '2026-09-30')");
  const { folder } = await published.publish(await published.build(), { acceptLoss: true });
  expect(readdirSync(join(folder, "fact_play"))).toEqual(["month=2026-10"]);
  expect(readdirSync(join(folder, "fact_play_month"))).toEqual(["2026-10"]);
  expect(await published.read("select plays_before, plays_after from '{}/fact_restatement.parquet'")).toEqual(
    [{ plays_before: 1, plays_after: 0 }],
  );
});

it("publishes typed files without rows for an empty world, and fills them later", async () => {
  const empty = await PublishedWarehouse.open();
  await empty.buildAndPublish();
  for (const {
    table,
    columns,
    published: { isByMonth },
  } of marts) {
    const files = isByMonth ? `{}/${table}/**/*.parquet', hive_partitioning = true` : `{}/${table}.parquet'`;
    const described = await empty.read<{ name: string }>(
      `select column_name as name from (describe select * from read_parquet('${files}))`,
    );
    const names = columns.map(({ name }) => name);
    const hasFolderColumn = isByMonth && !names.includes("month");
    expect(described.map(({ name }) => name)).toEqual(hasFolderColumn ? [...names, "month"] : names);
  }
  expect(
    await empty.read("select * from read_parquet('{}/fact_play/**/*.parquet', hive_partitioning = true)"),
  ).toEqual([]);
  await empty.addPlays([song("2026-10-05 10:00:00")]);
  const { folder } = await empty.buildAndPublish();
  expect(readdirSync(join(folder, "fact_play"))).toEqual(["month=2026-10"]);
});

itInAll("keeps a version for ten minutes after the next is published, however old it is", async () => {
  const versions = [published.last];
  const setAge = (version: number, hours: number) => {
    const at = Date.now() / 1000 - hours * 3600;
    utimesSync(join(versions[version - 1]?.folder ?? "", "manifest.json"), at, at);
  };
  setAge(1, 4);
  for (let count = 2; count <= 4; count += 1) versions.push(await published.buildAndPublish());
  expect(versions.map(({ folder }) => existsSync(folder))).toEqual([true, true, true, true]);
  setAge(2, 3);
  setAge(3, 2);
  await published.buildAndPublish();
  expect(versions.map(({ folder }) => existsSync(folder))).toEqual([false, true, true, true]);
});

it("stops both threads when aborted", async () => {
  await published.warehouse.run("set threads = 2");
  const version = await published.build(true);
  const stop = new AbortController();
  const reason = new Error("stopped");
  const publish = publishMart(published.warehouse, {
    publishedFolder: published.folder,
    version,
    now: new Date(),
    signal: stop.signal,
    logger: silentLogger,
  });
  const stopped = expect(publish).rejects.toBe(reason);
  await expect
    .poll(() => existsSync(join(published.folder, `.unfinished-${version}`, "dim_date.parquet")))
    .toBe(true);
  stop.abort(reason);
  await stopped;
  expect(readdirSync(published.folder).sort()).toEqual(["catalog.duckdb", "current", "v000001"]);
  expect(await playDates()).toHaveLength(4);
});

itEachSampled([1, 2], 1)(
  "leaves the readers' version unchanged if it can't write, with %d threads",
  async (threads) => {
    const { version } = published.last;
    await published.warehouse.run(`set threads = ${threads}`);
    await published.addPlays([song("2026-11-01 10:00:00")]);
    await published.build();
    // An unreadable table fails in the middle of writing.
    await published.warehouse.run("drop table mart.fact_load");
    const options = {
      publishedFolder: published.folder,
      version: "v000002",
      now: new Date(),
      logger: silentLogger,
    };
    await expect(publishMart(published.warehouse, options)).rejects.toThrow("fact_load");
    expect(readlinkSync(join(published.folder, "current"))).toBe(version);
    expect(readdirSync(published.folder).sort()).toEqual(["catalog.duckdb", "current", "v000001"]);
    expect(await playDates()).toHaveLength(4);
  },
);

it("names the unusable folder", async () => {
  published = await openUnpublished();
  const version = await published.build();
  writeFileSync(published.folder, "a file");
  const publish = publishMart(published.warehouse, {
    publishedFolder: published.folder,
    version,
    now: new Date(),
    logger: silentLogger,
  });
  await expect(publish).rejects.toThrow(expect.objectContaining({ code: "PUBLISH_FOLDER_UNUSABLE" }));
  expect(existsSync(published.folder)).toBe(true);
});

async function playsByMonth(): Promise<Record<string, number>> {
  const months = await published.read<{ month: string; plays: number }>(
    "select month, sum(plays)::int as plays from read_parquet('{}/fact_play_month/**/*.parquet') group by month order by 1",
  );
  return Object.fromEntries(months.map(({ month, plays }) => [month, plays]));
}

async function playDates(): Promise<unknown[]> {
  return await published.read("select date from read_parquet('{}/fact_play/**/*.parquet') order by date");
}

itInAll("reports the next step for a `current` that was copied as a folder", async () => {
  const current = join(published.folder, "current");
  rmSync(current);
  mkdirSync(current);
  await expect(published.buildAndPublish()).rejects.toThrow(
    /`current` there is a folder instead of a link.*Remove/,
  );
  rmSync(current, { recursive: true });
  await published.buildAndPublish();
  expect(readdirSync(current)).toContain("manifest.json");
});
