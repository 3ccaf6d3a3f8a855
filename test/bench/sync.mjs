// How well a sync uses its requests and its time, against an emulated service, and whether plans are right.
// node test/bench/sync.mjs [--kills 30]; exits 1 when a budget is missed.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startEmulator } from "../../dist/emulator/emulator.js";
import { openWarehouse } from "../../dist/engines/warehouse.js";
import { openSqlite } from "../../dist/state/sqlite.js";

const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const dayMs = 86_400_000;
const kinds = ["music", "signage", "messaging"];
const { values } = parseArgs({ options: { kills: { type: "string", default: "30" } } });
const root = mkdtempSync(join(tmpdir(), "venue-analytics-bench-"));
let missed = 0;
try {
  await measureRequests();
  await measurePlans();
  await measureKills(Number(values.kills));
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

/** Half the demo world, walked: the first time and a day later. */
async function measureRequests() {
  const rate = 10;
  const service = await open("requests", { ratePerSecond: rate, zones: 6, now: daysBefore(1) });
  for (const label of ["first walk of half the demo world", "a day later"]) {
    const before = service.mainRequests();
    const { seconds } = await service.venue("sync", "history", "--mode", "walk");
    const used = service.mainRequests() - before;
    const fewest = label === "a day later" ? service.deepestPages() : service.wholePages();
    tell(`${label}: ${used} requests; ÷ the fewest, ${fewest}`, used / fewest, 1.1);
    // A handful of requests takes less than starting does.
    if (used > 100) tell(`  time ÷ (requests ÷ rate): ${seconds} s`, seconds / (used / rate), 1.05);
    service.setNow(service.emulator.world.endsAt);
  }
  await service.close();
}

/** Which way is cheaper, seen by trying both from the same state. */
async function measurePlans() {
  const cases = [
    ["3 zones with much history, first sync", { zones: 3, days: 40 }, { ratePerSecond: 5 }],
    ["40 zones with little, first sync", { zones: 40, days: 2, playScale: 0.05 }, { ratePerSecond: 5 }],
    [
      "3 zones, a daily sync after walks",
      { zones: 3, days: 30 },
      { ratePerSecond: 5, exportSeconds: 6 },
      ["export", "walk"],
      2,
    ],
    [
      "40 zones, a daily sync after both ways",
      { zones: 40, days: 3, playScale: 0.05 },
      { ratePerSecond: 10, exportSeconds: 1 },
      ["export", "walk"],
    ],
    [
      "a slow export, known to be slow",
      { zones: 6, days: 5, playScale: 0.3 },
      { ratePerSecond: 5, exportSeconds: 20 },
      ["export"],
    ],
    [
      "failing exports",
      { zones: 6, days: 5, playScale: 0.3 },
      { ratePerSecond: 5, faults: [{ name: "job-fails" }] },
      ["export"],
    ],
  ];
  for (const [label, world, options, earlier = [], days = 1] of cases) {
    const service = await open("plans", { exportSeconds: 2, ...world, ...options });
    for (let day = days; day > 0; day -= 1) {
      service.setNow(daysBefore(day, world.days));
      for (const mode of earlier) await service.venue("sync", "devices", "history", "--mode", mode);
    }
    service.setNow(service.emulator.world.endsAt);
    const tried = {};
    for (const mode of ["export", "walk", "auto"]) {
      const copy = service.copy(mode);
      const plan = await copy.venue("plan", "devices", "history", "--mode", mode);
      const before = service.mainRequests();
      const { seconds } = await copy.venue("sync", "devices", "history", "--mode", mode);
      tried[mode] = { plan, seconds, requests: service.mainRequests() - before };
    }
    const { auto } = tried;
    const cheaper = tried.export.seconds <= tried.walk.seconds ? "export" : "walk";
    const chosen = [...new Set(auto.plan.history.map(({ way }) => way))].join(" and ");
    console.log(
      `${label}: ${["export", "walk"].map((mode) => `${mode} ${tried[mode].requests} requests, ${tried[mode].seconds} s`).join("; ")}; chosen: ${chosen}`,
    );
    tell(`  time of what was chosen ÷ the cheaper, ${cheaper}`, auto.seconds / tried[cheaper].seconds, 1.1);
    tell(`  requests planned, ${auto.plan.requests}, off by`, off(auto.plan.requests, auto.requests), 0.2);
    tell(`  seconds planned, ${auto.plan.seconds}, off by`, off(auto.plan.seconds, auto.seconds), 0.2);
    await service.close();
  }
}

/** One sync, killed again and again, then finished. */
async function measureKills(kills) {
  const service = await open("kills", {
    zones: 4,
    days: 8,
    playScale: 0.3,
    pageLimit: 20,
    ratePerSecond: 100,
    exportSeconds: 0.3,
    faults: [{ name: "job-fails", endpoint: "POST /v5/ext/data/music" }],
  });
  const { requests } = service.emulator;
  let seed = 7;
  const ends = [];
  for (let kill = 0; kill < kills; kill += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    const target = requests.length + 1 + (seed % 9);
    await service.killed(["sync", "history", "--mode", "export"], () => requests.length >= target);
    ends.push(requests.length);
  }
  await service.venue("sync", "history", "--mode", "export");
  const truth = kinds.map((kind) => {
    let [plays, seconds] = [0, 0];
    for (const { durationSecs } of service.emulator.world.plays({
      kind,
      visibleAt: service.emulator.now(),
    })) {
      plays += 1;
      seconds += durationSecs;
    }
    return `${kind} ${plays}/${seconds}`;
  });
  const figures = await service.figures();
  tell(
    `killed ${kills} times, finished: figures that are not exact`,
    truth.filter((figure) => !figures.includes(figure)).length,
    0,
  );
  tell(
    "  exports beyond those needed",
    Math.max(0, service.emulator.jobs.length - 10 - service.unanswered()),
    0,
  );
  tell("  pages of a zone asked again after a kill, at most", askedAgain(requests, ends), 1);
  await service.close();
}

function askedAgain(requests, ends) {
  const earlier = new Set();
  let most = 0;
  for (const [run, from] of [0, ...ends].entries()) {
    const again = new Map();
    const pages = requests.slice(from, ends[run]).filter(({ path }) => path.endsWith("/history"));
    for (const { path, query } of pages) {
      const zone = `${path} ${query.split("&")[0]}`;
      if (earlier.has(`${path} ${query}`)) again.set(zone, (again.get(zone) ?? 0) + 1);
    }
    most = Math.max(most, ...again.values());
    for (const { path, query } of pages) earlier.add(`${path} ${query}`);
  }
  return most;
}

function off(planned, was) {
  return Math.abs(planned - was) / was;
}

function tell(what, figure, budget) {
  const isMissed = figure > budget;
  if (isMissed) missed += 1;
  console.log(`${what.padEnd(70)} ${figure.toFixed(2)}  (budget ${budget})${isMissed ? "  MISSED" : ""}`);
}

/** An instant so many days before a world of so many days ends. */
function daysBefore(days, worldDays = 60) {
  return new Date(Date.parse("2026-09-23") + (worldDays + 0.5 - days) * dayMs);
}

async function open(name, options) {
  const emulator = await startEmulator({ listingMaxAgeSeconds: 0, ...options });
  const folder = mkdtempSync(join(root, `${name}-`));
  return serviceAt(emulator, folder, options.ratePerSecond);
}

function serviceAt(emulator, folder, ratePerSecond) {
  const dataFolder = join(folder, "data");
  const environment = () => ({
    PATH: process.env.PATH,
    VENUE_BASE_URL: emulator.baseUrl,
    VENUE_CLIENT_ID: emulator.clientId,
    VENUE_CLIENT_SECRET: emulator.clientSecret,
    VENUE_GROUP_IDS: emulator.world.groupIds.join(","),
    VENUE_RATE_PER_SECOND: String(ratePerSecond),
    VENUE_HOME: join(folder, "home"),
    VENUE_DATA_DIR: dataFolder,
    VENUE_NOW: emulator.now().toISOString(),
  });
  const state = (sql) => {
    const database = openSqlite(join(dataFolder, "state.db"), "state/data");
    try {
      return database.all(sql);
    } finally {
      database.close();
    }
  };
  return {
    emulator,
    setNow: (now) => emulator.setNow(now),
    mainRequests: () => emulator.requests.filter(({ origin }) => origin === "main").length,
    /** The same state on another machine, so to say. */
    copy(label) {
      const target = join(folder, label);
      if (existsSync(dataFolder)) cpSync(dataFolder, join(target, "data"), { recursive: true });
      if (existsSync(join(folder, "home")))
        cpSync(join(folder, "home"), join(target, "home"), { recursive: true });
      return serviceAt(emulator, target, ratePerSecond);
    },
    /** Pages that hold all records, each zone's first page asked for even if it is empty. */
    wholePages: () =>
      state("select known_total, page_size from walk").reduce(
        (sum, { known_total, page_size }) =>
          sum + Math.max(1, Math.ceil(known_total / Math.max(page_size, 1))),
        0,
      ),
    /** Pages down to the oldest record that is new: nothing tells where it is but the pages themselves. */
    deepestPages: () => state("select sum(requests) as requests from walk")[0].requests,
    unanswered: () => state("select count(*) as count from export_job where job_id is null")[0].count,
    async figures() {
      const warehouse = await openWarehouse({ path: join(dataFolder, "warehouse.duckdb") });
      const rows = await warehouse.all(
        `select kind || ' ' || count(*) || '/' || sum(duration_secs) as figure from core.play
         where duration_secs > 0 group by kind`,
      );
      warehouse.close();
      return rows.map(({ figure }) => figure);
    },
    async venue(...args) {
      const { stdout, stderr, code } = await run([...args, "--json"], environment()).finished;
      if (code !== 0) throw new Error(`venue ${args.join(" ")} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async killed(args, isTime) {
      const { child, finished } = run(args, environment());
      let isOver = false;
      finished.then(() => {
        isOver = true;
      });
      while (!isOver && !isTime()) await new Promise((resolve) => setTimeout(resolve, 1));
      child.kill("SIGKILL");
      await finished;
    },
    close: () => emulator.close(),
  };
}

function run(args, environment) {
  const child = spawn(process.execPath, [program, ...args], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const finished = new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
  return { child, finished };
}
