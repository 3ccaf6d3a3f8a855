import {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip, gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { openSqlite } from "../../src/state/sqlite.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { isAll, itEachSampled, itInAll, share } from "../support/long-suite.ts";
import { watchPeak } from "../support/peak-of-process.ts";
import { canPreload, preloadLibrary } from "../support/preload-library.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { publishedFigures, type Setup, setUp, trueFigures } from "../support/service.ts";

const small = { days: 2, zones: 2, playScale: 0.1 };

async function venue(setup: Setup, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runVenue(words, setup);
  expect(code, stderr).toBe(0);
  return stdout;
}

function playIn(zoneId: number): string {
  const line = {
    ...{ location_id: 1, location_name: "Harbor", zone_id: zoneId, zone_name: "Floor", duration_secs: 180 },
    ...{ play_start: "2026-09-23T10:00:00+00:00", song_id: 1, song_name: "Song" },
    ...{ artist_id: 1, artist_name: "Band" },
  };
  return `${JSON.stringify(line)}\n`;
}

itInAll("rejects an implausible clock, and records nothing", async () => {
  const setup = await setUp(small);
  const now = setup.environment.VENUE_NOW;
  for (const wrong of ["2200-01-01T00:00:00Z", "1970-01-01T00:00:00Z"]) {
    setup.environment.VENUE_NOW = wrong;
    const { code, stderr } = await runVenue(["run"], setup);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/VENUE_NOW is .* Nothing was done\./)]);
  }
  setup.environment.VENUE_NOW = now;
  await venue(setup, "run");
  expect(await publishedFigures(setup)).toEqual(trueFigures(setup.emulator.world, setup.emulator.now()));
});

itInAll("keeps correct figures after a run with the clock set back, or years ahead", async () => {
  const setup = await setUp(small);
  const now = setup.environment.VENUE_NOW;
  for (const instant of [now, "2026-08-01T00:00:00Z", "2036-01-01T00:00:00Z", now]) {
    setup.environment.VENUE_NOW = instant;
    const { code, stderr } = await runVenue(["sync", "history", "devices"], setup);
    // With the clock set back, all plays are in the future, so they are rejected with a message.
    expect(code, stderr).toBe(instant?.startsWith("2026-08") ? 1 : 0);
  }
  await venue(setup, "build");
  expect(await publishedFigures(setup)).toEqual(trueFigures(setup.emulator.world, setup.emulator.now()));
});

it("changes no other file's mode, and reports the problem if its own name is taken", async () => {
  const setup = await setUp(small);
  await venue(setup, "sync", "devices");
  const other = join(setup.workingFolder, "other");
  writeFileSync(other, "not ours");
  chmodSync(other, 0o644);
  for (const name of ["state.db", "warehouse.duckdb"]) {
    const path = join(setup.dataFolder, name);
    const content = readFileSync(path);
    const stand: [string, () => void][] = [
      ["a folder", () => mkdirSync(path)],
      ["a link to another file", () => symlinkSync(other, path)],
      ["a link to nothing", () => symlinkSync(join(other, "..", "none", "x"), path)],
    ];
    for (const [label, put] of stand) {
      rmSync(path, { force: true });
      put();
      const { code, stderr } = await runVenue(["build"], setup);
      expect([2, 4], `${name}: ${label}: ${stderr}`).toContain(code);
      rmSync(path, { recursive: true });
    }
    writeFileSync(path, content);
  }
  expect([readFileSync(other, "utf8"), statSync(other).mode & 0o777]).toEqual(["not ours", 0o644]);
});

itEachSampled(["000", "022", "077"], 1)("keeps secrets from other users under umask %s", async (mask) => {
  const setup = await setUp(small);
  const home = setup.environment.VENUE_HOME ?? "";
  const backup = join(setup.workingFolder, "backup");
  const seen = new Map<string, Set<string>>();
  const look = () => {
    for (const folder of [home, setup.dataFolder, backup]) {
      for (const name of existsSync(folder) ? ["", ...readdirSync(folder)] : []) {
        const stat = statSync(join(folder, name), { throwIfNoEntry: false });
        if (!stat) continue;
        const place = join(folder === home ? "home" : relative(setup.workingFolder, folder), name);
        seen.set(place, (seen.get(place) ?? new Set()).add((stat.mode & 0o777).toString(8)));
      }
    }
  };
  // Files next to a database exist only while it is open.
  const looking = setInterval(look, 5);
  try {
    expect((await venueUnder(mask, setup, "sync", "devices")).code).toBe(0);
    expect((await venueUnder(mask, setup, "backup", "--to", backup)).code).toBe(0);
  } finally {
    clearInterval(looking);
  }
  look();
  const beside = (path: string) => [path, `${path}-wal`, `${path}-shm`];
  for (const name of [...beside("home/client.db"), ...beside("data/state.db")])
    expect([name, ...(seen.get(name) ?? [])]).toEqual([name, "600"]);
  for (const name of ["home", "backup"]) expect([name, ...(seen.get(name) ?? [])]).toEqual([name, "700"]);
  const open = (0o666 & ~Number.parseInt(mask, 8)).toString(8);
  expect([...(seen.get("data/warehouse.duckdb") ?? [])]).toEqual([open]);
});

async function venueUnder(mask: string, setup: Setup, ...words: string[]) {
  const before = process.umask(Number.parseInt(mask, 8));
  try {
    return await startVenue(words, setup).finished;
  } finally {
    process.umask(before);
  }
}

itInAll("writes secrets only to files of VENUE_HOME, and never to output", async () => {
  const setup = await setUp(small);
  const { stdout, stderr } = await runVenue(["run", "--debug"], setup);
  const failing = { ...setup, environment: { ...setup.environment, VENUE_GROUP_IDS: "1" } };
  const failed = await runVenue(["sync", "--debug", "--log", "json"], failing);
  await venue(setup, "backup", "--to", join(setup.workingFolder, "backup"));
  const home = setup.environment.VENUE_HOME ?? "";
  const client = openSqlite(join(home, "client.db"), "state/client");
  const { access_token: token } = client.get<{ access_token: string }>("select access_token from token");
  client.close();
  const secrets = [token, setup.environment.VENUE_CLIENT_SECRET ?? ""];
  // Otherwise SQLite's files next to its databases would disappear before they are read.
  await collectGarbage();
  expect(secrets.map((secret) => secret.length > 8)).toEqual([true, true]);
  const written = readdirSync(setup.workingFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(written.length).toBeGreaterThan(100);
  const planted = join(setup.workingFolder, "planted.gz");
  writeFileSync(planted, gzipSync(`so that it would be found: ${token}`));
  const duckDb = await DuckDb.open();
  const holders: string[] = [];
  for (const path of [...written, planted]) {
    const texts = await textsOf(path, duckDb);
    if (secrets.some((secret) => texts.some((text) => text.includes(secret)))) holders.push(path);
  }
  duckDb.close();
  expect(holders.filter((path) => !path.startsWith(home))).toEqual([planted]);
  expect(holders.length).toBeGreaterThan(1);
  const output = [stdout, stderr, failed.stdout, failed.stderr].join("\n");
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
});

it.runIf(isAll && canPreload)("reports the likely cause if a file system has no locks", async () => {
  const setup = await setUp(small);
  const LD_PRELOAD = await preloadLibrary(fileURLToPath(new URL("no-locks.c", import.meta.url)));
  const environment = { ...setup.environment, LD_PRELOAD };
  const { code, stderr } = await startVenue(["build"], { ...setup, environment }).finished;
  expect([code, stderr]).toEqual([75, expect.stringMatching(/state\.db is locked.* knows no locks/)]);
  await venue(setup, "build");
});

it("reports the limit if DuckDB has too little memory, and then loads everything with more", async () => {
  const setup = await setUp(small);
  writeFileSync(join(setup.workingFolder, "plays.jsonl"), playIn(7));
  const load = ["load", "plays.jsonl", "--kind", "music"];
  const little = { ...setup, environment: { ...setup.environment, VENUE_MEMORY_LIMIT: "16MB" } };
  const { code, stderr } = await runVenue(load, little);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/ran out of memory\. Raise VENUE_MEMORY_LIMIT/)]);
  expect(await venue(setup, ...load)).toContain("1 new");
});

/** All content of a file, uncompressed as well. */
async function textsOf(path: string, duckDb: DuckDb): Promise<Buffer[]> {
  const bytes = readFileSync(path);
  if (path.endsWith(".gz")) return [bytes, gunzipSync(bytes)];
  if (!path.endsWith(".parquet")) return [bytes];
  const rows = await duckDb.all(`select * from read_parquet('${path}', hive_partitioning = false)`);
  return [bytes, Buffer.from(JSON.stringify(rows))];
}

it("reads lines of any length and gzip of any ratio in little memory", async () => {
  const setup = await setUp(small);
  const file = join(setup.workingFolder, "long.jsonl.gz");
  const megabytes = share(50, 300, 2200);
  const blank = Buffer.alloc(1_000_000, "x");
  await pipeline(
    Readable.from(Array.from({ length: megabytes }, () => blank)),
    createGzip({ level: 1 }),
    createWriteStream(file),
  );
  const running = startVenue(["load", file, "--kind", "music"], setup);
  const peakBytes = watchPeak(running.child.pid ?? 0);
  const { code, stdout } = await running.finished;
  expect([code, stdout]).toEqual([1, expect.stringContaining("1 line = 1 rejected")]);
  expect(peakBytes()).toBeLessThan(700_000_000);
  expect(await venue(setup, "rejects")).toContain("line_too_long");
});

itInAll("loads, builds and reports thousands of zones in little memory", async () => {
  const setup = await setUp(small);
  const zones = share(10_000, 10_000, 100_000);
  const lines = Array.from({ length: zones }, (_, zone) => playIn(zone + 1));
  writeFileSync(join(setup.workingFolder, "plays.jsonl"), lines.join(""));
  for (const words of [
    ["load", "plays.jsonl", "--kind", "music"],
    ["build"],
    ["report", "plays", "--by", "zone", "--from", "2026-09-23", "--format", "html", "--out", "plays.html"],
  ]) {
    const running = startVenue(words, setup);
    const peakBytes = watchPeak(running.child.pid ?? 0);
    const { code, stderr } = await running.finished;
    expect(code, stderr).toBe(0);
    expect(peakBytes(), words[0]).toBeLessThan(700_000_000);
  }
  expect(await publishedFigures(setup)).toEqual(
    Object.fromEntries(lines.map((_, zone) => [`music ${zone + 1} 2026-09-23`, "1/180"])),
  );
  const asked = Array.from({ length: 2000 }, (_, index) => 1 + (index * zones) / 2000);
  const byZone = ["report", "plays", "--by", "zone", "--columns", "zone_id,plays", "--format", "csv"];
  const csv = await venue(setup, ...byZone, "--from", "2026-09-23", "--zone", asked.join());
  expect(csv.trim().split("\r\n").slice(1).sort()).toEqual(asked.map((zone) => `${zone},1`).sort());
});

itInAll("stops a query that exceeds its memory where DuckDB can't be interrupted", async () => {
  const setup = await setUp(small);
  await venue(setup, "sync", "history");
  await venue(setup, "build");
  const growing = "select max(length(repeat('x', 100000000 + i))) as n from range(100) as t(i)";
  const running = startVenue(["query", growing], setup);
  const peakBytes = watchPeak(running.child.pid ?? 0);
  const { code, signal, stderr } = await running.finished;
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  expect(stderr).toBe(
    "venue: The query took far more memory than VENUE_MEMORY_LIMIT (600MB), and was stopped. Select fewer rows or columns, shorter " +
      "texts and lists, or raise VENUE_MEMORY_LIMIT.\n",
  );
  // Unbounded, it takes 9 GB.
  expect(peakBytes()).toBeLessThan(2_500_000_000);
});

it("stops an endless query", async () => {
  const setup = await setUp(small);
  await venue(setup, "sync", "history");
  await venue(setup, "build");
  const endless =
    "with recursive t as (select 1 as n union all select n + 1 from t) select count(*) as n from t";
  const { code, stderr } = await runVenue(["query", endless, "--max-minutes", "0.02"], setup);
  expect([code, stderr]).toEqual([2, expect.stringContaining("did not end within 0.02 minutes")]);
});
