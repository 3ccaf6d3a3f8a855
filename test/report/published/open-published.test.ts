import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NothingPublishedError } from "../../../src/mart/errors.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { Report } from "../../../src/report/result-types.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { stableText } from "../../support/stable-text.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { generatePlays, publishedWorld } from "../plays-world.ts";

const now = new Date("2026-11-21T06:00:00Z");
const plays = generatePlays().slice(0, 50);

async function publish(folder: string): Promise<void> {
  await publishFixture(folder, publishedWorld("v000001", plays));
}

async function rowsOf({ rows }: Report): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

it("explains what to do when nothing is published", async () => {
  const folder = createTempFolder();
  const error = await openPublished(folder).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NothingPublishedError);
  expect((error as NothingPublishedError).category).toBe("usage");
  expect((error as Error).message).toMatch(
    /^Nothing is published in .* yet\. Run `venue run` first, or point VENUE_DATA_DIR to .*data\/demo/,
  );
});

it.each<[string, (folder: string) => void]>([
  [
    "a dangling link",
    (folder) => {
      rmSync(join(folder, "current"));
      symlinkSync("v000009", join(folder, "current"));
    },
  ],
  ["a missing manifest", (folder) => rmSync(join(folder, "v000001/manifest.json"))],
  ["a truncated manifest", (folder) => truncateSync(join(folder, "v000001/manifest.json"), 100)],
  [
    "another file in its place",
    (folder) => writeFileSync(join(folder, "v000001/manifest.json"), '{"version":"v000001"}'),
  ],
  [
    "a manifest with an unknown column",
    (folder) => {
      const path = join(folder, "v000001/manifest.json");
      writeFileSync(
        path,
        readFileSync(path, "utf8")
          .replace('"name": "zone_id"', '"name": "zone_iD2"')
          .replace('"name":"zone_id"', '"name":"zone_iD2"'),
      );
    },
  ],
  ["a missing file", (folder) => rmSync(join(folder, "v000001/dim_zone.parquet"))],
  [
    "a truncated file",
    (folder) => truncateSync(join(folder, "v000001/fact_play/month=2026-10/data.parquet"), 100),
  ],
  [
    "a file of the right size that is not Parquet",
    (folder) => {
      const file = join(folder, "v000001/dim_zone.parquet");
      writeFileSync(file, "x".repeat(readFileSync(file).length));
    },
  ],
])("reports %s as damage", async (_label, damage) => {
  const folder = createTempFolder();
  await publish(folder);
  damage(folder);
  const error = await openPublished(folder, { threads: 1 }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "PUBLISHED_DAMAGED" });
  expect(stableText((error as Error).message)).toMatchSnapshot();
});

it("reports a corrupt part of a file as damage when it is read", async () => {
  const folder = createTempFolder();
  await publish(folder);
  const file = join(folder, "v000001/fact_play_day/month=2026-10/data.parquet");
  const content = readFileSync(file);
  writeFileSync(file, content.fill(0, 4, Math.floor(content.length / 2)));
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const options = parseReportOptions({
      report: "plays",
      by: ["item"],
      from: "2026-10-02",
      to: "2026-11-20",
    });
    await expect(runReport(mart, options, now).then(rowsOf)).rejects.toMatchObject({
      code: "PUBLISHED_DAMAGED",
    });
  } finally {
    mart.close();
  }
});

it("reads instants as plain UTC", async () => {
  const folder = createTempFolder();
  await publish(folder);
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const rows = await mart.all(
      "select played_at, typeof(played_at) as type from fact_play where zone_id = 11 order by 1",
    );
    const first = plays[0];
    if (!first) throw new Error("no plays");
    expect(rows[0]).toEqual({
      played_at: new Date(Date.parse(`${first.local}Z`) - first.offsetMinutes * 60_000)
        .toISOString()
        .slice(0, 19)
        .replace("T", " "),
      type: "TIMESTAMP",
    });
    expect(mart.tables).toContain("fact_play");
  } finally {
    mart.close();
  }
});

it("remembers small results by SQL and parameters, and changes to rows stay with their caller", async () => {
  const folder = createTempFolder();
  await publish(folder);
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const read = async (id: number | string) =>
      (await mart.all<{ at: number; type: string }>("select random() as at, typeof(?) as type", [id]))[0];
    const first = await read(1);
    const { at } = first ?? {};
    if (first) first.at = -1;
    expect(await read(1)).toEqual({ at, type: "HUGEINT" });
    expect(await read("1")).toEqual({ at: expect.any(Number), type: "VARCHAR" });
    const many = async () =>
      (await mart.all<{ at: number }>("select random() as at from range(1000)"))[0]?.at;
    expect(await many()).not.toBe(await many());
  } finally {
    mart.close();
  }
});

it("keeps reading its version while another is published", async () => {
  const folder = createTempFolder();
  await publish(folder);
  const options = parseReportOptions({ report: "plays", from: "2026-10-01", to: "2026-11-20" });
  const before = await openPublished(folder, { threads: 1 });
  try {
    const started = await runReport(before, options, now);
    await publishFixture(folder, publishedWorld("v000002", plays.slice(0, 20)));
    expect((await rowsOf(started))[0]).toMatchObject({ 0: 50 });
    expect(await rowsOf(await runReport(before, options, now))).toMatchObject([{ 0: 50 }]);
    const after = await openPublished(folder, { threads: 1 });
    try {
      const report = await runReport(after, options, now);
      expect(report.version).toBe("v000002");
      expect(await rowsOf(report)).toMatchObject([{ 0: 20 }]);
    } finally {
      after.close();
    }
  } finally {
    before.close();
  }
});

it("opens a folder whose name needs quoting", async () => {
  const folder = join(createTempFolder(), "it's [a] {b}* ?");
  mkdirSync(folder);
  await publish(folder);
  const mart = await openPublished(folder, { threads: 1 });
  try {
    expect(await mart.all("select count(*) as plays from fact_play")).toEqual([{ plays: 50 }]);
  } finally {
    mart.close();
  }
});

it("stops immediately when interrupted", async () => {
  const folder = createTempFolder();
  await publish(folder);
  const controller = new AbortController();
  const mart = await openPublished(folder, { threads: 1, signal: controller.signal });
  try {
    const endless = mart.all(
      "select count(*) from range(100000000000) a, range(1000) b where a.range % 7 = b.range % 5",
    );
    setTimeout(() => controller.abort(new Error("stop")), 50);
    await expect(endless).rejects.toThrow("stop");
  } finally {
    mart.close();
  }
});

it("opens a retained version, and lists the retained ones", async () => {
  const folder = createTempFolder();
  await publish(folder);
  await publishFixture(folder, publishedWorld("v000002", plays));
  const mart = await openPublished(folder, { threads: 1, asOf: "v000001" });
  expect(mart.version).toBe("v000001");
  mart.close();
  await expect(openPublished(folder, { asOf: "v000003" })).rejects.toThrow(
    `"v000003". It accepts the versions in ${folder}: v000001, v000002.`,
  );
});
