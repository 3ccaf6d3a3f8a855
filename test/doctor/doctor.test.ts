import { appendFileSync, chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { variableNames } from "../../src/config/variables.ts";
import { musicLine } from "../load/load-fixture.ts";
import { relay } from "../support/relay.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { type Setup, setUp } from "../support/service.ts";
import { stableText } from "../support/stable-text.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const small = { days: 2, zones: 2, playScale: 0.1 };

interface Check {
  part: string;
  ok: boolean;
  detail: string;
}

async function doctor(
  setup: Setup,
  run = runVenue,
): Promise<{ code: number | null; checks: Record<string, Check> }> {
  const { stdout, stderr, code } = await run(["doctor", "--json"], setup);
  expect(stderr).not.toContain("bug");
  expect(stdout).not.toContain(setup.emulator.clientSecret);
  const { checks }: { checks: Check[] } = JSON.parse(stdout);
  return { code, checks: Object.fromEntries(checks.map((check) => [check.part, check])) };
}

it("reports time zone data of Node.js that is older than DuckDB's", async () => {
  const setup = await setUp(small);
  setup.environment.VENUE_SCHEDULE_TIME_ZONE = "America/Vancouver";
  // Summer time all year from 2026 on, which Node.js may not know yet.
  const hour = new Intl.DateTimeFormat("en", {
    timeZone: "America/Vancouver",
    hour: "numeric",
    hour12: false,
  });
  const isOutdated = hour.format(new Date("2026-12-01T12:00:00Z")) !== "05";
  const { code, checks } = await doctor(setup);
  expect(checks["time zones"]).toMatchObject({
    ok: !isOutdated,
    detail: expect.stringMatching(
      isOutdated ? /differ in America\/Vancouver: 2026-.* Update Node\.js/ : /the same/,
    ),
  });
  expect(code).toBe(isOutdated ? 2 : 0);
});

it("all checks pass before the first run: one request per group, one for the token", async () => {
  const setup = await setUp(small);
  const { code, checks } = await doctor(setup);
  expect(Object.values(checks).filter(({ ok }) => !ok)).toEqual([]);
  expect(code).toBe(0);
  expect(Object.keys(checks)).toMatchInlineSnapshot(`
    [
      "settings",
      "Node",
      "data folder",
      "user folder",
      "DuckDB",
      "warehouse",
      "published",
      "time zones",
      "credentials",
      "groups",
      "service",
      "group 58429",
      "group 58430",
      "status API",
      "clock",
      "request budget",
    ]
  `);
  expect(checks.clock?.detail).toMatch(/within \d+ s/);
  expect(checks["request budget"]?.detail).toMatch(
    /at most 500 in any second.*: 3 sent in the last minute, no process is waiting/,
  );
  const main = setup.emulator.requests.filter(({ origin }) => origin === "main");
  expect(main.map(({ path }) => path)).toEqual([
    "/v5/api-clients/token",
    "/v5/ext/devices/status",
    "/v5/ext/devices/status",
  ]);
});

it("a second diagnosis sends new requests, so that the clock is compared again", async () => {
  const setup = await setUp(small);
  await doctor(setup);
  expect((await doctor(setup)).checks.clock?.detail).toMatch(/within/);
});

describe("reports each problem and the next step", () => {
  it.each<[string, (setup: Setup) => void, string, number]>([
    [
      "a user folder that others can read",
      ({ workingFolder }) => {
        mkdirSync(join(workingFolder, "home"));
        chmodSync(join(workingFolder, "home"), 0o755);
      },
      "user folder",
      2,
    ],
    [
      "credentials that others can read",
      ({ workingFolder }) => {
        mkdirSync(join(workingFolder, "home"), { mode: 0o700 });
        writeFileSync(join(workingFolder, "home", "credentials.json"), "{}");
        chmodSync(join(workingFolder, "home", "credentials.json"), 0o644);
      },
      "user folder",
      2,
    ],
    [
      "no credentials",
      ({ environment }) => Object.assign(environment, { VENUE_CLIENT_ID: "", VENUE_CLIENT_SECRET: "" }),
      "credentials",
      2,
    ],
    [
      "a data folder that can't be created",
      ({ environment }) => Object.assign(environment, { VENUE_DATA_DIR: "/proc/venue" }),
      "data folder",
      2,
    ],
    [
      "a damaged warehouse",
      ({ dataFolder }) => {
        mkdirSync(dataFolder);
        writeFileSync(join(dataFolder, "warehouse.duckdb"), Buffer.alloc(20_000, "no database"));
      },
      "warehouse",
      4,
    ],
    [
      "a missing warehouse whose built version is published",
      ({ dataFolder }) => {
        mkdirSync(join(dataFolder, "published", "v000001"), { recursive: true });
        const manifest = JSON.stringify({ data_as_of: "2026-11-21T12:00:00Z" });
        writeFileSync(join(dataFolder, "published", "v000001", "manifest.json"), manifest);
        symlinkSync("v000001", join(dataFolder, "published", "current"));
      },
      "warehouse",
      4,
    ],
    [
      "a missing `current`, as some programs copy no links",
      ({ dataFolder }) => mkdirSync(join(dataFolder, "published", "v000001"), { recursive: true }),
      "published",
      4,
    ],
    [
      "a malformed setting",
      ({ environment }) => Object.assign(environment, { VENUE_THREADS: "none" }),
      "settings",
      2,
    ],
    [
      "refused credentials",
      ({ environment }) => Object.assign(environment, { VENUE_CLIENT_SECRET: "wrong" }),
      "service",
      3,
    ],
    [
      "an address without this service",
      ({ environment, emulator }) =>
        Object.assign(environment, { VENUE_BASE_URL: emulator.baseUrl.replace(/v5$/, "v4") }),
      "service",
      3,
    ],
    ["no groups", ({ environment }) => Object.assign(environment, { VENUE_GROUP_IDS: "" }), "groups", 2],
    [
      "an address that is not a status API",
      ({ environment, emulator }) =>
        Object.assign(environment, { VENUE_STATUS_URL: emulator.downloadOrigin }),
      "status API",
      3,
    ],
    [
      "an unreachable status API",
      ({ environment }) => Object.assign(environment, { VENUE_STATUS_URL: "http://127.0.0.1:9" }),
      "status API",
      3,
    ],
  ])("%s", async (_label, spoil, part, code) => {
    const setup = await setUp(small);
    spoil(setup);
    const found = await doctor(setup);
    const { ok, detail = "" } = found.checks[part] ?? {};
    expect([ok, found.code]).toEqual([false, code]);
    expect(stableText(detail)).toMatchSnapshot();
  });

  it("refused credentials, reported once without trying a group", async () => {
    const setup = await setUp(small);
    setup.environment.VENUE_CLIENT_SECRET = "wrong";
    const { checks } = await doctor(setup);
    expect(checks["group 58430"]).toMatchObject({ ok: false, detail: expect.stringMatching(/not checked/) });
    expect(setup.emulator.requests.filter(({ origin }) => origin === "main")).toHaveLength(1);
  });

  it("one forbidden group while the others are readable", async () => {
    const setup = await setUp({ ...small, readableGroupIds: [58430] });
    const { checks, code } = await doctor(setup);
    expect(checks.service?.ok).toBe(true);
    expect(checks["group 58429"]).toMatchObject({ ok: false, detail: expect.stringMatching(/403/) });
    expect(checks["group 58430"]?.ok).toBe(true);
    expect(code).toBe(3);
  });

  it("a clock that is off by an hour", async () => {
    const setup = await setUp(small);
    const { origin } = new URL(setup.emulator.baseUrl);
    const url = await relay(origin, () => new Date(Date.now() + 3_600_000));
    setup.environment.VENUE_BASE_URL = setup.emulator.baseUrl.replace(origin, url);
    setup.environment.VENUE_STATUS_URL = "";
    // A separate process: in this one, the relay's responses would be checked too.
    const { checks } = await doctor(setup, (...call) => startVenue(...call).finished);
    expect(checks.service?.ok).toBe(true);
    expect(checks.clock).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/3\d\d\d s behind.*timedatectl/),
    });
  });

  it("a published file that has changed since it was written", async () => {
    const setup = await setUp(small);
    writeFileSync(
      join(setup.workingFolder, "lines.jsonl"),
      `${musicLine()}\n${musicLine({ song_id: 301 })}\n`,
    );
    for (const words of [["load", "lines.jsonl", "--kind", "music"], ["build"]])
      expect((await runVenue(words, setup)).code).toBe(0);
    const whole = await doctor(setup);
    expect(whole.checks.published).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/v000001 is intact: \d+ files/),
    });
    expect(whole.checks.warehouse?.detail).toMatch(/opens, and contains \d+ plays/);
    const folder = join(setup.dataFolder, "published", "v000001");
    const file = readdirSync(folder).find((name) => name.endsWith(".parquet")) ?? "";
    appendFileSync(join(folder, file), "x");
    const damaged = await doctor(setup);
    expect(damaged.checks.published).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/Run `venue build --full`/),
    });
    expect(damaged.code).toBe(4);
  });
});

it("lists what a first sync needs in an empty folder, and where to set it", async () => {
  const workingFolder = createTempFolder();
  const { stdout, code } = await runVenue(["doctor"], { workingFolder, environment: {} });
  expect(stdout).toMatch(/^FAIL {2}credentials: .*venue login/m);
  expect(stdout).toMatch(
    /^FAIL {2}groups: VENUE_GROUP_IDS is not set .* Set it in the environment or in \.env/m,
  );
  expect(stdout).toMatch(/^FAIL {2}service: VENUE_BASE_URL is not set/m);
  expect(code).toBe(2);
});

it("reports a variable that looks like a setting but is not one, without its value", async () => {
  const environment = { VENUE_DATADIR: "x", VENUE_CLIENT_SECRT: "secret-7", VENUE_SHOP: "x" };
  const { stdout } = await runVenue(["doctor"], { workingFolder: createTempFolder(), environment });
  expect(stdout).toMatch(/^ok {4}settings: all well-formed, but VENUE_/m);
  expect(stdout).toContain("VENUE_DATADIR (from environment) is not a setting: did you mean VENUE_DATA_DIR?");
  expect(stdout).toContain(
    "VENUE_CLIENT_SECRT (from environment) is not a setting: did you mean VENUE_CLIENT_SECRET?",
  );
  expect(stdout).toMatch(/VENUE_SHOP \(from environment\) is not a setting(;|$)/m);
  expect(stdout).not.toContain("secret-7");
});

it("as text: one line per part", async () => {
  const setup = await setUp(small);
  setup.environment.VENUE_CLIENT_SECRET = "wrong";
  const { stdout, code } = await runVenue(["doctor"], setup);
  expect(stdout).toMatch(/^\d+ of \d+ checks failed:\n/);
  expect(stdout).toMatch(/^ok {4}data folder: /m);
  expect(stdout).toMatch(/^FAIL {2}service: .*refused/m);
  expect(stdout).toMatch(/\n\nSettings that are set .*:\n/);
  expect(stdout).toMatch(/^VENUE_CLIENT_SECRET +\*{8} {2}\(environment\)$/m);
  expect(stdout).not.toMatch(/\((default|not set)\)$/m);
  expect(code).toBe(3);
  const all = await runVenue(["doctor", "--settings"], setup);
  for (const name of variableNames) expect(all.stdout).toMatch(new RegExp(`^${name} .*\\(.*\\)$`, "m"));
});
