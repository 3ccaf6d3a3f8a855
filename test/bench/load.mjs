// How long loads take and how much memory, against DuckDB's own typed read of the same file into a stored table.
// node test/bench/load.mjs [--lines 2000000] [--rounds 3]; exits 1 when a budget is missed.
import { execFileSync } from "node:child_process";
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { openWarehouse } from "../../dist/engines/warehouse.js";
import { loadHistory } from "../../dist/load/load-history.js";

const memoryLimit = "600MB";
const zones = 200;
const playsPerDay = 274;
const firstDay = Date.UTC(2025, 5, 1) / 1000;
const offsets = [-300, -360, -480, 60];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    lines: { type: "string", default: "2000000" },
    rounds: { type: "string", default: "3" },
  },
});
const [child, ...childArguments] = positionals;
if (child === "base") await readTyped(...childArguments);
else if (child === "load") await load(...childArguments);
else await main(Number(values.lines), Number(values.rounds));

async function main(lineCount, rounds) {
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-bench-"));
  try {
    const files = {
      clean: join(folder, "clean.jsonl"),
      broken: join(folder, "broken.jsonl"),
      grown: join(folder, "grown.jsonl"),
    };
    writeLines(files.clean, lineCount, {});
    writeLines(files.broken, lineCount, { brokenEvery: 1000 });
    writeLines(files.grown, lineCount, { moreDays: 1 });
    const size = (statSync(files.clean).size / 1e6).toFixed(0);
    console.log(`${lineCount.toLocaleString("en")} music lines, ${size} MB, best of ${rounds}`);

    const best = { base: [], first: [], broken: [], again: [], grown: [] };
    for (let round = 0; round < rounds; round += 1) {
      const at = (name) => join(folder, `${name}-${round}.duckdb`);
      best.base.push(run("base", files.clean, at("base")));
      best.first.push(run("load", files.clean, at("first"), "first"));
      copyFileSync(at("first"), at("grown"));
      best.again.push(run("load", files.clean, at("first"), "again"));
      best.grown.push(run("load", files.grown, at("grown"), "grown"));
      best.broken.push(run("load", files.broken, at("broken"), "broken"));
      for (const name of ["base", "first", "grown", "broken"]) rmSync(at(name), { force: true });
    }
    process.exitCode = report(best) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(best) {
  const quickest = (name) => Math.min(...best[name].map(({ ms }) => ms));
  const rssMb = Math.max(
    ...["first", "broken", "again", "grown"].flatMap((name) => best[name].map(({ mb }) => mb)),
  );
  const base = quickest("base");
  console.log(`DuckDB's own typed read into a stored table: ${(base / 1000).toFixed(2)} s`);
  const rows = [
    ["first load ÷ that", quickest("first") / base, 1.1],
    ["with 0.1 % broken lines", quickest("broken") / base, 1.5],
    ["the same export again", quickest("again") / base, 0.45],
    ["with one more day of plays", quickest("grown") / base, 0.55],
    ["peak memory of a load, GB", rssMb / 1000, 1],
  ];
  for (const [what, figure, budget] of rows) {
    console.log(
      `${what.padEnd(30)} ${figure.toFixed(2)}  (budget ${budget})${figure > budget ? "  MISSED" : ""}`,
    );
  }
  return rows.every(([, figure, budget]) => figure <= budget);
}

function run(...words) {
  const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...words], {
    encoding: "utf8",
  });
  return JSON.parse(output);
}

/** What anybody would write: the peer. */
async function readTyped(file, database) {
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  const startedAt = performance.now();
  await connection.run(`create table play as select * from read_ndjson('${file}', columns = {
    location_id: 'bigint', location_name: 'varchar', zone_id: 'bigint', zone_name: 'varchar',
    duration_secs: 'integer', play_start: 'timestamptz', song_id: 'bigint', song_name: 'varchar',
    artist_id: 'bigint', artist_name: 'varchar'})`);
  print(startedAt);
}

async function load(file, database, landingId) {
  const warehouse = await openWarehouse({ path: database, memoryLimit, tempDir: `${database}.tmp` });
  const startedAt = performance.now();
  const result = await loadHistory(
    warehouse,
    {
      landingId,
      path: file,
      kind: "music",
      source: "export",
      groupId: 1,
      requestedAt: new Date("2027-01-01"),
      isComplete: true,
    },
    { loadedAt: new Date() },
  );
  print(startedAt, result);
  warehouse.close();
  rmSync(`${database}.tmp`, { recursive: true, force: true });
}

function print(startedAt, result) {
  const ms = performance.now() - startedAt;
  console.log(JSON.stringify({ ms, mb: process.resourceUsage().maxRSS / 1000, result }));
}

/** Zones in turn, day by day, songs after each other. `moreDays` adds plays at the end. */
function writeLines(file, lineCount, { brokenEvery, moreDays = 0 }) {
  const descriptor = openSync(file, "w");
  const total = lineCount + moreDays * zones * playsPerDay;
  const random = randomNumbers(7);
  let pending = [];
  for (let line = 0; line < total; line += 1) {
    const text = playLine(line, random);
    pending.push(
      brokenEvery && line % brokenEvery === 500 ? spoil(text, Math.floor(line / brokenEvery)) : text,
    );
    if (pending.length === 20_000 || line === total - 1) {
      writeSync(descriptor, Buffer.from(pending.join(""), "latin1"));
      pending = [];
    }
  }
  closeSync(descriptor);
}

function playLine(line, random) {
  const zone = Math.floor(line / playsPerDay) % zones;
  const day = Math.floor(line / playsPerDay / zones);
  const offsetMinutes = offsets[zone % offsets.length];
  const local = firstDay + day * 86_400 + 28_800 + (line % playsPerDay) * 200 + Math.floor(random() * 60);
  const hours = String(Math.abs(offsetMinutes) / 60).padStart(2, "0");
  const start = `${new Date(local * 1000).toISOString().slice(0, 19)}${offsetMinutes < 0 ? "-" : "+"}${hours}:00`;
  const song = Math.floor(random() * random() * 20_000);
  const artist = song % 3000;
  return `{"location_id":${500 + zone},"location_name":"Branch ${zone} on Main Street","zone_id":${1000 + zone},"zone_name":"Zone ${zone} ground floor","duration_secs":${120 + Math.floor(random() * 80)},"play_start":"${start}","song_id":${song},"song_name":"Title of song ${song}","artist_id":${artist},"artist_name":"Artist ${artist}"}\n`;
}

function spoil(line, index) {
  const spoils = [
    () => `${line.slice(0, 150)}\n`,
    () => "upstream connect error or disconnect\n",
    () => line.replace(/"zone_id":\d+,/, ""),
    () => line.replace(/"song_id":\d+/, '"song_id":true'),
    () => line.replace(/"song_id":\d+/, '"song_id":1e3'),
    () => line.replace(/"duration_secs":\d+/, '"duration_secs":"long"'),
    () => line.replace(/T\d\d:/, "T25:"),
    () => line.replace(/[+-]\d\d:00"/, '"'),
    () => line.replace("Title", "Titl\u00e9"),
    () => "[]\n",
  ];
  return spoils[index % spoils.length]();
}

function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
