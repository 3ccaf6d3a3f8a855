import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeReports } from "../../src/pipeline/run.ts";
import { deadPid } from "../support/dead-pid.ts";
import { itInAll } from "../support/long-suite.ts";
import { hasTerminals, startOnTerminal } from "../support/run-on-terminal.ts";
import { runVenue } from "../support/run-venue.ts";
import { type Setup, setNow, setUp, setUpIn } from "../support/service.ts";
import { tempPrefix } from "../support/temp-folder.ts";
import { openWorkspace } from "./sync-workspace.ts";

const names = ["compliance", "devices", "outages", "plays", "quality", "schedule", "uptime"];

async function untilWritten(file: string): Promise<string> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (text.endsWith("\n")) return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("two runs, a day apart", () => {
  let setup: Setup;
  let [date, latest] = ["", ""];
  let first: string[] = [];
  let index: string;
  const folderOf = (of: string) => join(setup.dataFolder, "reports", of);
  const today = () => setup.emulator.now().toISOString().slice(0, 10);

  beforeAll(async () => {
    setup = await setUpIn(mkdtempSync(join(tmpdir(), tempPrefix)), { days: 5, zones: 2, playScale: 0.2 });
    const [browser, opened] = ["browser", "opened"].map((name) => join(setup.workingFolder, name)) as [
      string,
      string,
    ];
    writeFileSync(browser, `#!/bin/sh\necho "$1" > '${opened}'\n`);
    chmodSync(browser, 0o755);
    setup.environment.BROWSER = browser;
    date = today();
    const run = await runVenue(["run", "--open", "--json"], setup);
    expect(run.code, run.stderr).toBe(0);
    ({ reports: first, index } = JSON.parse(run.stdout));
    expect(await untilWritten(opened)).toBe(`${index}\n`);
    expect(readlinkSync(folderOf("latest"))).toBe(date);

    setNow(setup, new Date(setup.emulator.now().getTime() + 86_400_000));
    latest = today();
    delete setup.environment.BROWSER;
    setup.environment.VENUE_AVAILABILITY_TARGET = "0.9";
    mkdirSync(folderOf(latest));
    for (const of of [date, latest]) writeFileSync(join(folderOf(of), `plays.md.${deadPid()}.part`), "");
    // More than 90 days ago.
    mkdirSync(folderOf("2020-01-01"));
    const next = await runVenue(["run", "--json"], setup);
    expect(next.code, next.stderr).toBe(0);
    const { build } = JSON.parse(next.stdout);
    expect(build.data_as_of).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  });
  afterAll(async () => {
    await setup.emulator.close();
    rmSync(setup.workingFolder, { recursive: true, force: true });
  });

  it("write their reports and an index into a folder by date, link `latest` to it, and open it", () => {
    const folder = folderOf(date);
    const expected = [
      ...names.flatMap((name) => ["csv", "html", "md"].map((ending) => `${name}.${ending}`)),
      "index.html",
    ];
    expect(readdirSync(folder).sort()).toEqual(expected.toSorted());
    expect(first.sort()).toEqual(expected.map((name) => join(folder, name)).sort());
    expect(index).toBe(join(folder, "index.html"));

    const page = readFileSync(index, "utf8");
    for (const name of names) {
      expect(page).toContain(`href="${name}.html"`);
      expect(page).toContain(`href="${name}.csv"`);
      const of = readFileSync(join(folder, `${name}.html`), "utf8");
      expect(of).toContain(`href="${name}.csv"`);
      expect(of).toContain(`<a href="${name}.html" aria-current="page">`);
      // Links to the index and the other pages, in the same folder.
      const [views = ""] = /<nav class="views"[\s\S]*?<\/nav>/.exec(of) ?? [];
      const leads = Array.from(views.matchAll(/href="([^"]*)"/g), ([, href]) => href);
      expect(leads.sort()).toEqual(["index", ...names].map((one) => `${one}.html`).sort());
    }
    // The index repeats each report's headline.
    const [, headline = ""] =
      /<p class="headline">(.*?)<\/p>/.exec(readFileSync(join(folder, "plays.html"), "utf8")) ?? [];
    expect(headline).toMatch(/^[\d,]+ plays of/);
    expect(page).toContain(headline);

    const uptime = (of: string) => readFileSync(join(folderOf(of), "uptime.html"), "utf8");
    expect(uptime(date)).toContain("Devices were checked only once; uptime needs two checks.");
    expect(uptime(date)).not.toContain("target 9");
    expect(latest > date).toBe(true);
    expect(readlinkSync(folderOf("latest"))).toBe(latest);
    expect(uptime(latest)).toContain("target 90.0\u00a0%");
    expect(readdirSync(join(setup.dataFolder, "reports")).sort()).toEqual([date, latest, "latest"]);
  });

  it("link only to files of their folder", () => {
    const folder = folderOf(latest);
    const waiting = ["index.html"];
    const seen = new Set(waiting);
    for (const file of waiting) {
      const page = readFileSync(join(folder, file), "utf8");
      for (const [, href = ""] of page.matchAll(/<a href="([^"#]+)"/g)) {
        expect(existsSync(join(folder, href)), `${file} leads to ${href}`).toBe(true);
        if (href.endsWith(".html") && !seen.has(href)) waiting.push(href);
        seen.add(href);
      }
    }
    for (const of of [date, latest]) expect(readdirSync(folderOf(of)).join()).not.toContain(".part");
  });

  it("are not written if `latest` was copied as a folder, with a message about the next step", async () => {
    const link = folderOf("latest");
    rmSync(link);
    mkdirSync(link);
    await expect(writeReports(openWorkspace(setup), {})).rejects.toThrow(
      /^No reports were written: \S+latest is a folder instead of a link.* Remove that/m,
    );
  });
});

itInAll("reports in one line why a run failed, and what is stale", async () => {
  const setup = await setUp({ days: 5, zones: 3, playScale: 0.2 });
  setup.environment.VENUE_GROUP_IDS += ",999999999";
  const run = await runVenue(["run"], setup);
  expect(run.code).toBe(3);
  const [line, ...others] = run.stderr.split("\n").filter((text) => text.includes("Failed: "));
  expect(others).toEqual([]);
  expect(line).toMatch(/Failed: .+\. Stale: data from .*999999999.*; data as of .+ UTC\.$/);
});

it.skipIf(!hasTerminals)(
  "refuses to write binary formats to a terminal before reading anything",
  async () => {
    const setup = await setUp({ days: 1, zones: 1 });
    for (const format of ["arrow", "parquet"]) {
      const terminal = startOnTerminal(["report", "plays", "--format", format], setup);
      await terminal.until("Write it to a file with --out FILE, or pipe it.");
      expect(await terminal.finished).toBe(2);
    }
  },
);
