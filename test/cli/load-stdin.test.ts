import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { musicLine } from "../load/load-fixture.ts";
import { itEachSampled } from "../support/long-suite.ts";
import { hasTerminals, startOnTerminal } from "../support/run-on-terminal.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { setUp as setUpService } from "../support/service.ts";
import { stableText } from "../support/stable-text.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const good = musicLine();
/** One line per outcome; the third and fourth differ only in bytes that text would hide. */
const lines = Buffer.concat([
  Buffer.from(`${good}\n\n`),
  Buffer.from(good.replace("A song", "A s\u00ffng"), "latin1"),
  Buffer.from(
    `\n${musicLine({ song_name: "x".repeat(1024 * 1024) })}\n${musicLine({ song_id: 301 })}\n${good}`,
  ),
]);

function setUp() {
  const workingFolder = createTempFolder();
  const dataFolder = join(workingFolder, "data");
  const environment = { VENUE_DATA_DIR: dataFolder, VENUE_HOME: join(workingFolder, "home") };
  return { workingFolder, environment, temp: join(dataFolder, "tmp") };
}

async function load(words: readonly string[], input?: Buffer) {
  const setup = setUp();
  writeFileSync(join(setup.workingFolder, "lines.jsonl"), lines);
  const run = (args: readonly string[]) => runVenue(args, { ...setup, ...(input && { input }) });
  const { code, stdout, stderr } = await run(["load", ...words, "--kind", "music", "--json"]);
  expect(code, stderr).toBe(0);
  expect(readdirSync(setup.temp)).toEqual([]);
  const listed: { rejects: { loaded_at: string }[] } = JSON.parse((await run(["rejects", "--json"])).stdout);
  for (const { loaded_at } of listed.rejects)
    expect(loaded_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  // The load time differs.
  const rejects = listed.rejects.map((reject) => ({ ...reject, loaded_at: "" }));
  return { loads: JSON.parse(stdout).loads, rejects };
}

it("loads stdin, plain or compressed, like a file: every line with its number and reason", async () => {
  const file = await load(["lines.jsonl"]);
  expect(file.loads).toMatchObject([{ lines: 6, new_plays: 2, duplicate: 1, rejected: 2, blank: 1 }]);
  expect(file.rejects).toMatchObject([
    { line_number: 3, reason: "invalid_utf8" },
    { line_number: 4, reason: "line_too_long" },
  ]);
  expect(await load(["-"], lines)).toEqual(file);
  const packed = gzipSync(lines);
  const unpacked = await load(["-"], packed);
  expect(unpacked.loads).toEqual([{ ...file.loads[0], bytes: packed.length }]);
  expect(unpacked.rejects).toEqual(file.rejects);
});

it("loads stdin among files, one load each", async () => {
  const { loads } = await load(["lines.jsonl", "-"], Buffer.from(`${musicLine({ song_id: 302 })}\n`));
  expect(loads).toMatchObject([
    { lines: 6, new_plays: 2 },
    { lines: 1, new_plays: 1 },
  ]);
});

it.each([
  ["an empty stdin", ["-"], /stdin is empty/],
  ["a repeated -", ["-", "-"], /- was given twice/],
])("reports %s", async (_name, words, message) => {
  const finished = await runVenue(["load", ...words, "--kind", "music"], setUp());
  expect(finished.stderr).toMatch(message);
  expect(finished.code).toBe(2);
});

it.skipIf(!hasTerminals)("does not wait for typed input", async () => {
  const terminal = startOnTerminal(["load", "-", "--kind", "music"], setUp());
  expect(await terminal.finished).toBe(2);
  expect(terminal.shown()).toMatch(/stdin, which is a terminal/);
});

it("leaves no files if stdin is invalid gzip or the load is interrupted", async () => {
  const setup = setUp();
  const broken = await runVenue(["load", "-", "--kind", "music"], {
    ...setup,
    input: gzipSync(lines).subarray(0, 200),
  });
  expect(broken.code, broken.stderr).toBe(2);
  expect(stableText(broken.stderr)).toMatchSnapshot();
  expect(readdirSync(setup.temp)).toEqual([]);

  const { child, finished } = startVenue(["load", "-", "--kind", "music"], {
    ...setup,
    keepsInputOpen: true,
  });
  await expect.poll(() => readdirSync(setup.temp)).toHaveLength(1);
  child.kill("SIGINT");
  expect((await finished).code).toBe(130);
  expect(readdirSync(setup.temp)).toEqual([]);
});

itEachSampled(
  [
    ["sync", ["sync", "devices"]],
    ["load of a file", ["load", "lines.jsonl", "--kind", "music"]],
    ["load of stdin", ["load", "-", "--kind", "music"]],
  ],
  1,
)("the next %s removes the leftovers of a killed or failed load in tmp/", async ([_label, args]) => {
  const service = await setUpService({ days: 1, zones: 1, playScale: 0.1 });
  const temp = join(service.dataFolder, "tmp");
  writeFileSync(join(service.workingFolder, "lines.jsonl"), lines);
  const killed = startVenue(["load", "-", "--kind", "music"], { ...service, keepsInputOpen: true });
  killed.child.stdin?.write(lines);
  await expect.poll(() => existsSync(temp) && readdirSync(temp)).toHaveLength(1);
  killed.child.kill("SIGKILL");
  await killed.finished;
  mkdirSync(join(temp, "load-q1W2e3"));
  expect(readdirSync(temp)).toHaveLength(2);

  const next = await runVenue(args, { ...service, input: lines });
  expect(next.code, next.stderr).toBe(0);
  expect(readdirSync(temp)).toEqual([]);
});
