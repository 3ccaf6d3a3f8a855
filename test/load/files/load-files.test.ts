import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { loadFiles } from "../../../src/load/files/load-files.ts";
import { withWarehouse } from "../../../src/workspace/workspace.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { Landed } from "../landings/landed.ts";
import { countsOf, musicLine } from "../load-fixture.ts";

const line = (song: number) => `${musicLine({ song_id: song })}\n`;

interface LoadOptions {
  input?: string | Buffer;
  signal?: AbortSignal;
  onLoad?: () => void;
}

/** A separate data folder, and a load into it that reports the outcome per file. */
function setUp() {
  const { workspace } = new Landed();
  const folder = createTempFolder();
  const loads: Record<string, number>[] = [];
  const notes: string[] = [];
  const load = async (
    files: readonly string[],
    { input = "", signal = workspace.signal, onLoad = () => {} }: LoadOptions = {},
  ) =>
    await loadFiles(
      { ...workspace, signal },
      {
        files,
        stdin: Readable.from([Buffer.from(input)], { objectMode: false }),
        kind: "music",
        onLoad: (result) => {
          loads.push(countsOf(result));
          onLoad();
        },
        onNote: (note) => notes.push(note),
      },
    );
  return {
    workspace,
    loads,
    notes,
    load,
    write(name: string, content: string | Buffer): string {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    query: async (sql: string) => await withWarehouse(workspace, (warehouse) => warehouse.all(sql)),
  };
}

it("loads files and stdin in order, each in its own load", async () => {
  const { load, loads, write, query, workspace } = setUp();
  const [first, last] = [write("first.jsonl", line(1) + line(2)), write("last.jsonl.gz", gzipSync(line(4)))];
  await load([first, "-", last], { input: `${line(2)}${line(3)}no history\n` });
  expect(loads).toEqual([
    { lines: 2, newPlays: 2 },
    { lines: 3, newPlays: 1, unchanged: 1, rejected: 1 },
    { lines: 1, newPlays: 1 },
  ]);
  expect(
    await query("select source, kind, is_complete, count(*) as loads from core.load group by all"),
  ).toEqual([{ source: "file", kind: "music", is_complete: false, loads: 3 }]);
  expect(readdirSync(workspace.folder.temp)).toEqual([]);
});

it("rejects lines that begin long after their load, on the data's clock", async () => {
  const { load, loads, write } = setUp();
  const startedAt = (time: string) => `${musicLine({ play_start: time })}\n`;
  await load([write("late.jsonl", startedAt("2026-06-02T05:59:00Z") + startedAt("2026-06-02T07:59:00Z"))]);
  expect(loads).toEqual([{ lines: 2, newPlays: 1, rejected: 1 }]);
});

it("applies the time zones of the reference files to plays", async () => {
  const { load, write, query, workspace } = setUp();
  writeFileSync(join(workspace.folder.reference, "zone_time_zones.csv"), "zone_id,time_zone\n7,Asia/Tokyo\n");
  await load([write("music.jsonl", line(1))]);
  expect(await query("select utc_offset_minutes from core.play")).toEqual([{ utc_offset_minutes: 540 }]);
});

it.each<[string, string, string | Buffer | undefined, string]>([
  ["a missing file", "gone.jsonl", undefined, "does not exist"],
  [
    "gzip under another name",
    "music.jsonl",
    gzipSync(line(1)),
    "is a gzip file, but its name does not end in .gz",
  ],
  ["an invalid .gz", "music.jsonl.gz", line(1), "is not a gzip file, although its name ends in .gz"],
])("rejects %s before anything is loaded", async (_label, name, content, reason) => {
  const { load, loads, write, workspace } = setUp();
  const good = write("good.jsonl", line(1));
  const path = content === undefined ? join(good, "..", name) : write(name, content);
  await expect(load([good, path])).rejects.toMatchObject({
    code: "NO_HISTORY_FILE",
    category: "usage",
    message: `${path} ${reason}. Nothing was loaded. Specify JSON Lines files, plain or .gz.`,
  });
  expect(loads).toEqual([]);
  expect(existsSync(workspace.folder.warehouseFile)).toBe(false);
});

const unzip = "Run: unzip -p PATH | venue load - --kind music";
const exportIt = "Export it as JSON Lines, and load that file.";

it.each<[name: string, content: Buffer, advice: string]>([
  ["a ZIP archive", Buffer.from("PK\x03\x04\x14\0\0\0\b\0music.jsonl"), unzip],
  ["an Excel workbook", Buffer.from(`PK\x03\x04${"\0".repeat(26)}docProps/app.xml`), exportIt],
  [
    "a bzip2 file",
    Buffer.from("BZh91AY&SY\xd1", "latin1"),
    "Run: bzip2 -dc PATH | venue load - --kind music",
  ],
  [
    "a Zstandard file",
    Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 4, 0),
    "Run: zstd -dc PATH | venue load - --kind music",
  ],
  [
    "a UTF-16 file",
    Buffer.from(`\uFEFF${line(1)}`, "utf16le"),
    "Run: iconv -f UTF-16 -t UTF-8 PATH | venue load - --kind music",
  ],
  [
    "a UTF-16 file",
    Buffer.from(line(1), "utf16le"),
    "Run: iconv -f UTF-16LE -t UTF-8 PATH | venue load - --kind music",
  ],
  [
    "an HTML page",
    Buffer.from("\n<!DOCTYPE html><html><body>Sign in</body></html>\n"),
    "It is probably an error or a login page. Download the file again.",
  ],
  [
    "a CSV file",
    Buffer.from("zone_id,song_id,play_start,duration_secs\n7,1,2026-03-10T12:00Z,9\n"),
    exportIt,
  ],
])("rejects %s before anything is loaded, with the next step", async (name, content, advice) => {
  const { load, loads, write } = setUp();
  const good = write("good.jsonl", line(1));
  for (const path of [write("music.jsonl", content), write("music.jsonl.gz", gzipSync(content))]) {
    await expect(load([good, path])).rejects.toMatchObject({
      code: "NO_HISTORY_FILE",
      message: `${path} is ${name}, not JSON. Nothing was loaded. ${advice.replace("PATH", path)}`,
    });
  }
  await expect(load([good, "-"], { input: content })).rejects.toMatchObject({
    message: `Standard input is ${name}, not JSON. Nothing was loaded. ${advice.replace("PATH", "FILE")}`,
  });
  expect(loads).toEqual([]);
});

itEachSampled(["<html>502</html>", "zone_id,song_id", "{", "[]", "[1,2]"], 2)(
  "rejects %s as one line if the others are JSON Lines",
  async (first) => {
    const { load, loads, write } = setUp();
    await load([write("music.jsonl", `${first}\n${line(1)}${line(2)}`)]);
    expect(loads).toEqual([{ lines: 3, newPlays: 2, rejected: 1 }]);
  },
);

const bad = { ...JSON.parse(musicLine()), zone_id: "none" };
const records = [JSON.parse(line(1)), bad, JSON.parse(line(2)), JSON.parse(line(1))];

itEachSampled(
  [
    ["an array of records", JSON.stringify(records)],
    ["a page of the service", JSON.stringify({ total_count: 4, page_size: 4, page: 1, data: records })],
    [
      "concatenated pages",
      records.map((record) => JSON.stringify({ total_count: 4, data: [record] }, null, 2)).join("\n"),
    ],
    ["records over several lines", records.map((record) => JSON.stringify(record, null, 2)).join("\n")],
    ["an array after a byte order mark", `\uFEFF${JSON.stringify(records)}`],
  ] as readonly [label: string, content: string][],
  2,
)("accounts for each record of %s", async ([_label, content]) => {
  const { load, loads, notes, write, workspace } = setUp();
  await load([write("music.json", content), write("music.json.gz", gzipSync(content)), "-"], {
    input: content,
  });
  expect(loads).toEqual([
    { lines: 4, newPlays: 2, duplicate: 1, rejected: 1 },
    { lines: 4, unchanged: 2, duplicate: 1, rejected: 1 },
    { lines: 4, unchanged: 2, duplicate: 1, rejected: 1 },
  ]);
  expect(notes).toEqual([]);
  expect(readdirSync(workspace.folder.temp)).toEqual([]);
});

it("loads a truncated array as far as it goes, and reports it", async () => {
  const { load, loads, notes, write } = setUp();
  const path = write("music.json", JSON.stringify(records.slice(0, 1)).replace("]", ","));
  await load([path]);
  expect(loads).toEqual([{ lines: 1, newPlays: 1 }]);
  expect(notes).toEqual([`${path} ends in the middle of a JSON value; it may be truncated.`]);
});

itEachSampled(
  [
    ["text", Buffer.from("upstream error\n")],
    ["a line feed", Buffer.from("\n")],
    ["zeros and other data", Buffer.concat([Buffer.alloc(1), gzipSync(line(9))])],
  ] as readonly [string, Buffer][],
  1,
)("loads gzip data and reports the bytes after it: %s", async ([_label, rest]) => {
  const { load, loads, notes, write, workspace } = setUp();
  const content = Buffer.concat([gzipSync(line(1)), gzipSync(line(2) + line(3)), rest]);
  const path = write("music.jsonl.gz", content);
  await load([path]);
  await load(["-"], { input: content });
  expect(loads).toEqual([
    { lines: 3, newPlays: 3 },
    { lines: 3, unchanged: 3 },
  ]);
  expect(notes).toEqual(
    [path, "Standard input"].map(
      (name) => `${name} has ${rest.length} bytes after its gzip data. They were ignored.`,
    ),
  );
  expect(readdirSync(workspace.folder.temp)).toEqual([]);
});

it("stops when interrupted between two files, and reports no more of them", async () => {
  const { load, loads, write } = setUp();
  const controller = new AbortController();
  const stopped = new Error("stopped by a signal");
  const files = [write("first.jsonl", line(1)), "-"];
  const options = { input: line(2), signal: controller.signal, onLoad: () => controller.abort(stopped) };
  await expect(load(files, options)).rejects.toBe(stopped);
  expect(loads).toHaveLength(1);
});
