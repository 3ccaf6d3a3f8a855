import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "../../../dist/emulator/emulator.js";
import { computePace } from "../../../dist/state/client/pace.js";
import { openSqlite } from "../../../dist/state/sqlite.js";
import { openWarehouse } from "../../../dist/workspace/warehouse.js";

const program = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
const dayMs = 86_400_000;
const kinds = ["music", "signage", "messaging"];

/** An instant this many days before the end of a world of `worldDays` days. */
export function daysBefore(days, worldDays = 60) {
  return new Date(Date.parse("2026-09-23") + (worldDays + 0.5 - days) * dayMs);
}

/**
 * An emulated service and a data folder below `root` to collect into. The service grants more requests than
 * agreed: on a busy machine it receives some late, the next one then seems too early, and its rejection would
 * distort the measurement.
 */
export async function openService(root, options) {
  const ratePerSecond = 1.5 * options.ratePerSecond;
  const emulator = await startEmulator({ listingMaxAgeSeconds: 0, ...options, ratePerSecond });
  return serviceAt(emulator, mkdtempSync(join(root, "service-")), options.ratePerSecond);
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
  const mainRequests = () => emulator.requests.filter(({ origin }) => origin === "main");
  const venue = async (args, extra = {}) => {
    const { stdout, stderr, code } = await run([...args, "--json"], environment(), extra).finished;
    if (code !== 0) throw new Error(`venue ${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return {
    emulator,
    dataFolder,
    setNow: (now) => emulator.setNow(now),
    /** Copies the state, as if to another machine. */
    copy(label) {
      const target = join(folder, label);
      for (const part of ["data", "home"]) {
        const from = join(folder, part);
        if (existsSync(from)) cpSync(from, join(target, part), { recursive: true });
      }
      return serviceAt(emulator, target, ratePerSecond);
    },
    /** Pages that hold all records; each zone's first page is requested even if it is empty. */
    wholePages: () =>
      state("select known_total, page_size from walk").reduce(
        (sum, { known_total, page_size }) =>
          sum + Math.max(1, Math.ceil(known_total / Math.max(page_size, 1))),
        0,
      ),
    /** Pages down to the oldest new record, which only the pages themselves reveal. */
    deepestPages: () => state("select sum(requests) as requests from walk")[0].requests,
    unanswered: () => state("select count(*) as count from export_job where job_id is null")[0].count,
    /** Kinds whose plays or seconds differ from the world's. */
    async wrongFigures() {
      const warehouse = await openWarehouse({ path: join(dataFolder, "warehouse.duckdb") });
      const rows = await warehouse.all(
        `select kind || ' ' || count(*) || '/' || sum(duration_secs) as figure from core.play
         where duration_secs > 0 group by kind`,
      );
      warehouse.close();
      const truth = kinds.flatMap((kind) => {
        let [plays, seconds] = [0, 0];
        for (const { durationSecs } of emulator.world.plays({ kind, visibleAt: emulator.now() })) {
          plays += 1;
          seconds += durationSecs;
        }
        return plays > 0 ? [`${kind} ${plays}/${seconds}`] : [];
      });
      return truth.filter((figure) => rows.every((row) => row.figure !== figure)).length;
    },
    venue: (...args) => venue(args),
    /** Runs a sync; returns its result, its request count, and a trace of its time. */
    async sync(args, extra) {
      const before = mainRequests().length;
      const startedAt = performance.timeOrigin + performance.now();
      const answer = await venue(["sync", ...args], extra);
      const endedAt = performance.timeOrigin + performance.now();
      const sentAt = mainRequests()
        .slice(before)
        .map(({ at }) => at);
      const requests = sentAt.length;
      return {
        ...answer,
        requests,
        trace: {
          waitForFirstLine: (sentAt[0] - startedAt) / 1000,
          asking: (sentAt.at(-1) - sentAt[0]) / 1000,
          atPace: secondsAtPace(requests, ratePerSecond),
          afterLast: (endedAt - sentAt.at(-1)) / 1000,
        },
      };
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

/** Seconds from the first to the last request at the agreed rate. */
function secondsAtPace(count, ratePerSecond) {
  const { requests, windowMs } = computePace(ratePerSecond);
  const [windows, rest] = [Math.floor((count - 1) / requests), (count - 1) % requests];
  return (windows * windowMs + (rest * windowMs) / requests / 2) / 1000;
}

export function describeTrace({ waitForFirstLine, asking, atPace, afterLast }) {
  return (
    `  ${waitForFirstLine.toFixed(1)} s to the first request, ${asking.toFixed(1)} s to the last (the rate alone: ` +
    `${atPace.toFixed(1)} s), ${afterLast.toFixed(1)} s after it, loading included`
  );
}

function run(args, environment, extra = {}) {
  const child = spawn(process.execPath, [...(extra.nodeArguments ?? []), program, ...args], {
    env: { ...environment, ...extra.environment },
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
