import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../src/state/sqlite.ts";
import { musicLine } from "../load/load-fixture.ts";
import { itEachSampled, itInAll } from "../support/long-suite.ts";
import { type Finished, program, runVenue, startVenue } from "../support/run-venue.ts";
import { type Setup, setUp } from "../support/service.ts";
import { stableText } from "../support/stable-text.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const small = { days: 2, zones: 2, playScale: 0.1 };

function expectClear({ stdout, stderr }: Finished, { emulator }: Setup): void {
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  expect(stderr).not.toContain("this is a bug");
  expect(stdout + stderr).not.toContain(emulator.clientSecret);
}

it("reports refused tokens once and requests no more", async () => {
  const setup = await setUp({ ...small, faults: [{ name: "token-refused" }], ratePerSecond: 20 });
  const finished = await runVenue(["sync"], setup);
  expect(finished.code, finished.stderr).toBe(3);
  expectClear(finished, setup);
  expect(finished.stderr.match(/refused the credentials of the API client/g)).toHaveLength(1);
  const tokens = setup.emulator.requests.filter(({ path }) => path.endsWith("/api-clients/token"));
  expect(tokens.length).toBeLessThanOrEqual(4);
});

describe("one clear message and the documented exit code", () => {
  it.each<[string, string[], NodeJS.ProcessEnv, number]>([
    ["a secret as a flag", ["sync", "--client-secret=x=y'z"], {}, 2],
    ["no URL", ["sync"], { VENUE_BASE_URL: "" }, 2],
    ["a malformed URL", ["sync"], { VENUE_BASE_URL: "localhost" }, 2],
    ["no groups", ["sync"], { VENUE_GROUP_IDS: "" }, 2],
    ["no credentials", ["sync"], { VENUE_CLIENT_ID: "", VENUE_CLIENT_SECRET: "" }, 2],
    ["refused credentials", ["sync"], { VENUE_CLIENT_SECRET: "wrong-secret-value" }, 3],
    ["an unreachable service", ["sync", "devices"], { VENUE_BASE_URL: "http://127.0.0.1:9/v5" }, 3],
    ["a data folder that is a file", ["sync"], { VENUE_DATA_DIR: "file" }, 2],
    ["nothing published yet", ["report", "plays"], {}, 2],
    ["a missing file", ["load", "nowhere.jsonl", "--kind", "music"], {}, 2],
    ["a gzip file without its extension", ["load", "packed", "--kind", "music"], {}, 2],
    ["a folder with a backslash", ["sync"], { VENUE_DATA_DIR: "a\\b" }, 2],
    ["a folder with a question mark", ["build"], { VENUE_DATA_DIR: "a?b" }, 2],
    ["a folder that can't be created", ["sync"], { VENUE_DATA_DIR: "/proc/venue" }, 2],
    ["a password in the URL", ["sync"], { VENUE_BASE_URL: "http://u:emulated-secret-3f9c@host/v5" }, 2],
  ])("%s", async (_label, args, environment, code) => {
    const setup = await setUp(small);
    writeFileSync(join(setup.workingFolder, "file"), "");
    writeFileSync(join(setup.workingFolder, "packed"), gzipSync("{}"));
    Object.assign(setup.environment, environment);
    const finished = await runVenue(args, setup);
    expect(stableText(finished.stderr)).toMatchSnapshot();
    expect(finished.code).toBe(code);
    expectClear(finished, setup);
  });

  it("a damaged warehouse", async () => {
    const setup = await setUp(small);
    mkdirSync(setup.dataFolder);
    writeFileSync(join(setup.dataFolder, "warehouse.duckdb"), Buffer.alloc(20_000, "not a database"));
    const finished = await runVenue(["sync"], setup);
    expect(finished.stderr).toMatch(/warehouse\.duckdb is damaged/);
    expect(finished.code).toBe(4);
    expectClear(finished, setup);
  });

  it("continues after a kill during the warehouse's creation", async () => {
    const setup = await setUp(small);
    mkdirSync(setup.dataFolder);
    writeFileSync(join(setup.dataFolder, "warehouse.duckdb"), "");
    const finished = await runVenue(["sync", "devices"], setup);
    expect(finished.code, finished.stderr).toBe(0);
  });

  it("a file of another kind: every line is rejected, which is a finding", async () => {
    const setup = await setUp(small);
    writeFileSync(join(setup.workingFolder, "notes.txt"), "no history\nnone at all\n");
    const finished = await runVenue(["load", "notes.txt", "--kind", "music"], setup);
    expect(finished.stderr).toMatch(/none of the 2 lines is music history/);
    expect(finished.code).toBe(1);
  });

  it("a damaged state.db", async () => {
    const setup = await setUp(small);
    mkdirSync(setup.dataFolder);
    writeFileSync(join(setup.dataFolder, "state.db"), Buffer.alloc(20_000, "not a database"));
    const finished = await runVenue(["sync"], setup);
    expect(finished.stderr).toMatch(/state\.db/);
    expect(finished.code).toBe(4);
    expectClear(finished, setup);
  });
});

describe("reports an error common to all sources once", () => {
  it("refused credentials: requested once, nothing published", async () => {
    const setup = await setUp(small);
    setup.environment.VENUE_CLIENT_SECRET = "wrong-secret-value";
    const finished = await runVenue(["run"], setup);
    expect(finished.code).toBe(3);
    expect(finished.stderr.match(/refused/gi)).toHaveLength(1);
    expect(finished.stdout).not.toContain("Published");
    expect(setup.emulator.requests.filter(({ origin }) => origin === "main")).toHaveLength(1);
    expect(existsSync(join(setup.dataFolder, "published", "current"))).toBe(false);
  });

  it("a service that always fails", async () => {
    const setup = await setUp({ ...small, readableGroupIds: [] });
    const finished = await runVenue(["run"], setup);
    expect(finished.code).toBe(3);
    expect(finished.stderr.match(/403/g)).toHaveLength(1);
    expect(finished.stderr).toMatch(/^warning: Failed: .*Stale: all published data/m);
    expect(finished.stdout).toMatch(/history: 0 of 6 sources complete, 6 failed/);
    expect(finished.stdout).not.toContain("Published");
    const { stdout, code } = await runVenue(["run", "--json"], setup);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ sync: { loads: [] }, build: null, reports: [], index: null });
  });
});

it("doctor shows every setting and all their problems", async () => {
  const setup = await setUp(small);
  Object.assign(setup.environment, { VENUE_THREADS: "many", VENUE_SETTLE_DAYS: "-1" });
  const finished = await runVenue(["doctor"], setup);
  expect(finished.stdout).toMatch(/VENUE_THREADS .*"many"\. It takes/);
  expect(finished.stdout).toMatch(/VENUE_SETTLE_DAYS .*"-1"\. It takes/);
  expect(finished.stdout).toMatch(/VENUE_BASE_URL +http:\/\/127\.0\.0\.1:\d+\/v5 +\(environment\)/);
  expect(finished.stdout).toMatch(/VENUE_CLIENT_SECRET +\*+ +\(environment\)/);
  expect(finished.code).toBe(2);
  expectClear(finished, setup);
});

/** In a separate process: a leaked handle keeps it alive, for an hour. */
itEachSampled(
  [
    ["a sync without credentials", ["sync", "--max-minutes", "60"], "There are no credentials"],
    ["an unknown format", ["query", "select 1", "--format", "cvs"], "Did you mean csv?"],
    ["a file without a known extension", ["query", "select 1", "--out", "a.doc"], "has no known format"],
    ["an option of another format", ["query", "select 1", "--bom"], "--bom only applies to CSV"],
  ],
  1,
)("rejects %s and exits", async ([_label, words, message]) => {
  const workingFolder = createTempFolder();
  const { finished } = startVenue(words, { environment: { VENUE_HOME: workingFolder }, workingFolder });
  expect(await finished).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

it.each([["runs"], ["rejects"]])("%s of a mistyped folder creates nothing", async (command) => {
  const setup = await setUp(small);
  const folder = join(setup.workingFolder, "mistyped");
  expect((await runVenue([command, "--data-dir", folder], setup)).code).toBe(0);
  expect(existsSync(folder)).toBe(false);
});

it.each<[string, string[], NodeJS.ProcessEnv, string]>([
  ["an unknown flag", ["sync", "--fast"], { VENUE_LOG: "json" }, "Unknown flag --fast."],
  ["a flag before --log", ["sync", "--fast", "--log", "json"], {}, "Unknown flag --fast."],
  ["no action", ["api", "music"], { VENUE_LOG: "json" }, "now-playing"],
  [
    "flags that exclude each other",
    ["api", "signage", "assets", "--log=json", "--zone-id", "7", "--group-id", "8"],
    {},
    "exactly one of --group-id and --zone-id",
  ],
])(
  "with VENUE_LOG=json invalid arguments are reported as one object: %s",
  async (_label, args, environment, message) => {
    const workingFolder = createTempFolder();
    const { stdout, stderr, code } = await runVenue(args, { environment, workingFolder });
    expect(JSON.parse(stderr)).toMatchObject({
      level: "error",
      message: expect.stringContaining(message),
      exit_code: 2,
    });
    expect(stdout).toBe("");
    expect(code).toBe(2);
  },
);

it("VENUE_LOG in .env also applies to wrong arguments and settings", async () => {
  const workingFolder = createTempFolder();
  writeFileSync(join(workingFolder, ".env"), "VENUE_LOG=json\n");
  for (const args of [["sync", "--fast"], ["sync"]]) {
    const { stderr } = await runVenue(args, { environment: {}, workingFolder });
    expect(JSON.parse(stderr)).toMatchObject({ level: "error", exit_code: 2 });
  }
});

it("with VENUE_LOG=json every line on stderr is an object, including errors", async () => {
  const setup = await setUp(small);
  Object.assign(setup.environment, { VENUE_LOG: "json", VENUE_BASE_URL: "" });
  const { stderr, code } = await runVenue(["sync"], setup);
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ level: "error", exit_code: 2 });
});

itInAll("a forbidden group: the rest is collected and published, with exit code 3", async () => {
  const setup = await setUp({ ...small, readableGroupIds: [58429] });
  const finished = await runVenue(["run"], setup);
  expect(finished.code).toBe(3);
  expect(finished.stderr).toMatch(/Not collected: music history of group 58430: .*403/);
  expect(finished.stdout).toMatch(/Published v000001/);
  expectClear(finished, setup);
});

it("one run at a time: the second exits at once and reports the first; reports still work", async () => {
  const setup = await setUp(small);
  writeFileSync(join(setup.workingFolder, "lines.jsonl"), `${musicLine()}\n`);
  for (const words of [["load", "lines.jsonl", "--kind", "music"], ["build"]]) {
    const { code, stderr } = await runVenue(words, setup);
    expect(code, stderr).toBe(0);
  }
  const requested = setup.emulator.requests.length;
  setup.emulator.setFaults([{ name: "slow", value: 60_000 }]);
  const first = startVenue(["run"], setup);
  while (setup.emulator.requests.length === requested)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const second = await runVenue(["run"], setup);
  expect(second.code).toBe(75);
  expect(second.stderr).toContain(`process ${first.child.pid}`);
  expect((await runVenue(["report", "plays"], setup)).code).toBe(0);
  first.child.kill("SIGINT");
  expect((await first.finished).code).toBe(130);
  const { stdout } = await runVenue(["runs"], setup);
  expect(stdout).toMatch(/interrupted\s+exit 130\s+run/);
});

itInAll("neither the data folder nor --debug output contains the secret or the token", async () => {
  const setup = await setUp(small);
  setup.emulator.setFaults([{ name: "server-error", times: 2 }]);
  const { stdout, stderr, code } = await runVenue(["run", "--debug"], setup);
  expect(code, stderr).toBe(0);
  const grep = (word: string) =>
    execFileSync("sh", ["-c", `grep -rlaF -e "$1" "$2" || true`, "sh", word, setup.dataFolder], {
      encoding: "utf8",
    });
  for (const word of [setup.emulator.clientSecret, "Bearer "]) {
    expect(stdout + stderr).not.toContain(word);
    expect(grep(word)).toBe("");
  }
});

itInAll("fails when the result can't be written, but continues when notes can't", async () => {
  const setup = await setUp(small);
  const full = openSync("/dev/full", "w");
  const { workingFolder: cwd, environment: env } = setup;
  const lost = spawnSync(process.execPath, [program, "runs"], { cwd, env, stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  expect(String(lost.stderr)).toMatch(/^venue: The result can't be written to stdout: .*no space.*\n$/i);
  expect(lost.status).toBe(2);

  const { child, finished } = startVenue(["sync", "devices", "--base-url", "http://127.0.0.1:9/v5"], setup);
  child.stderr?.destroy();
  expect((await finished).code).toBe(3);
});

it("a failure keeps its exit code if nobody reads the result", async () => {
  const setup = await setUp(small);
  const groups = `${setup.environment.VENUE_GROUP_IDS},777`;
  const { child, finished } = startVenue(["sync", "devices", "--group-ids", groups], setup);
  child.stdout?.destroy();
  const { code, stderr } = await finished;
  expect(code, stderr).toBe(3);
});

describe("a run whose end can't be recorded", () => {
  const setUpUnrecorded = async () => {
    const setup = await setUp(small);
    expect((await runVenue(["sync", "devices"], setup)).code).toBe(0);
    const database = openSqlite(join(setup.dataFolder, "state.db"), "state/data");
    const fails = "select raise(abort, 'disk I/O error')";
    database.script(`create trigger unrecorded before update of ended_at on run begin ${fails}; end`);
    database.close();
    return setup;
  };

  it("reports what it did, and that it could not be recorded", async () => {
    const { code, stdout, stderr } = await runVenue(["sync", "devices"], await setUpUnrecorded());
    expect(stdout).toMatch(/^devices: 2 of 2 sources complete\.$/m);
    expect(stderr.match(/The disk failed to read or write/g)).toHaveLength(1);
    expect(code).toBe(2);
  });

  it("also reports its repairs", async () => {
    const setup = await setUpUnrecorded();
    chmodSync(join(setup.workingFolder, "home"), 0o755);
    const { code, stdout } = await runVenue(["doctor", "--repair"], setup);
    expect(stdout).toMatch(/^done {2}.*home/m);
    expect(stdout).toMatch(/^FAIL {2}repair: The disk failed to read or write/m);
    expect(code).toBe(2);
  });

  itInAll("also reports why it could not repair", async () => {
    const setup = await setUpUnrecorded();
    renameSync(join(setup.dataFolder, "warehouse.duckdb"), join(setup.workingFolder, "aside"));
    mkdirSync(join(setup.dataFolder, "warehouse.duckdb"));
    const { code, stdout, stderr } = await runVenue(["doctor", "--repair"], setup);
    expect(stderr).toMatch(/^warning: The run's outcome can't be recorded: The disk failed/m);
    expect(stdout).toMatch(/^FAIL {2}repair: .*warehouse\.duckdb/m);
    expect(code).toBe(2);
  });

  itInAll("also reports why it failed", async () => {
    const setup = await setUpUnrecorded();
    const { code, stderr } = await runVenue(["load", "missing.jsonl", "--kind", "music"], setup);
    expect(stderr).toMatch(
      /^warning: The run's outcome can't be recorded: The disk failed to read or write/m,
    );
    expect(stderr).toMatch(/^venue: .*missing\.jsonl/m);
    expect(code).toBe(2);
  });
});

it("reports a removed working folder", () => {
  const script = 'mkdir "$1" && cd "$1" && rmdir "$1" && shift && exec "$@"';
  const removed = join(createTempFolder(), "removed");
  const run = (...words: string[]) =>
    spawnSync("sh", ["-c", script, "sh", removed, process.execPath, program, ...words], { encoding: "utf8" });
  const message = "The working folder no longer exists. Change to one that does, and run this again.";
  const { status, stdout, stderr } = run("runs");
  expect(status).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toBe(`venue: ${message}\n`);
  expect(JSON.parse(run("runs", "--log", "json").stderr)).toMatchObject({ message, exit_code: 2 });
});
