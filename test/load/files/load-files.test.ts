import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { loadFiles } from "../../../src/load/files/load-files.ts";
import { withWarehouse } from "../../../src/workspace/workspace.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { Landed } from "../landings/landed.ts";
import { countsOf, musicLine } from "../load-fixture.ts";

const line = (song: number) => `${musicLine({ song_id: song })}\n`;

interface LoadOptions {
  input?: string | Buffer;
  signal?: AbortSignal;
  onLoad?: () => void;
}

/** A data folder of its own, and a load into it that tells what became of each file. */
function setUp() {
  const { workspace } = new Landed();
  const folder = createTempFolder();
  const loads: Record<string, number>[] = [];
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
      },
    );
  return {
    workspace,
    loads,
    load,
    write(name: string, content: string | Buffer): string {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    query: async (sql: string) => await withWarehouse(workspace, (warehouse) => warehouse.all(sql)),
  };
}

it("loads files and stdin in their order, each as a load of its own", async () => {
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

it("loads the same file as often as it is asked to", async () => {
  const { load, loads, write } = setUp();
  const path = write("music.jsonl", line(1));
  await load([path]);
  await load([path, path]);
  expect(loads).toEqual([
    { lines: 1, newPlays: 1 },
    { lines: 1, unchanged: 1 },
    { lines: 1, unchanged: 1 },
  ]);
});

it("rejects lines that started long after they are loaded, in data's time", async () => {
  const { load, loads, write } = setUp();
  const startedAt = (time: string) => `${musicLine({ play_start: time })}\n`;
  await load([write("late.jsonl", startedAt("2026-06-02T05:59:00Z") + startedAt("2026-06-02T07:59:00Z"))]);
  expect(loads).toEqual([{ lines: 2, newPlays: 1, rejected: 1 }]);
});

it("gives plays the local times that the reference files tell", async () => {
  const { load, write, query, workspace } = setUp();
  writeFileSync(join(workspace.folder.reference, "zone_time_zones.csv"), "zone_id,time_zone\n7,Asia/Tokyo\n");
  await load([write("music.jsonl", line(1))]);
  expect(await query("select utc_offset_minutes from core.play")).toEqual([{ utc_offset_minutes: 540 }]);
});

it("removes what loads that were killed left, and no other folder", async () => {
  const { load, write, workspace } = setUp();
  const { temp } = workspace.folder;
  for (const name of ["stdin-q1W2e3", "load-q1W2e3", "other"]) mkdirSync(join(temp, name));
  await load([write("music.jsonl", line(1))]);
  expect(readdirSync(temp)).toEqual(["other"]);
});

it.each<[string, string, string | Buffer | undefined, string]>([
  ["a file that is not there", "gone.jsonl", undefined, "does not exist"],
  ["gzip under another name", "music.jsonl", gzipSync(line(1)), "is a gzip file, but not named .gz"],
  ["a .gz that is none", "music.jsonl.gz", line(1), "is no gzip file, though named like one"],
])("refuses %s, before anything is loaded", async (_label, name, content, reason) => {
  const { load, loads, write, workspace } = setUp();
  const good = write("good.jsonl", line(1));
  const path = content === undefined ? join(good, "..", name) : write(name, content);
  await expect(load([good, path])).rejects.toMatchObject({
    code: "NO_HISTORY_FILE",
    category: "usage",
    message: `${path} ${reason}. Name files of JSON Lines, plain or .gz; nothing was loaded.`,
  });
  expect(loads).toEqual([]);
  expect(existsSync(workspace.folder.warehouseFile)).toBe(false);
});

it("refuses a folder in the place of a file", async () => {
  const path = createTempFolder();
  await expect(setUp().load([path])).rejects.toThrow(`${path} is not a file. Name files`);
});

it("tells by its name which file can't be read, and keeps those before it", async () => {
  const { load, loads, write, workspace } = setUp();
  const cut = gzipSync(line(1).repeat(100)).subarray(0, 60);
  const path = write("cut.jsonl.gz", cut);
  await expect(load([write("good.jsonl", line(1)), path])).rejects.toThrow(
    `${path} can't be read: unexpected end`,
  );
  expect(loads).toEqual([{ lines: 1, newPlays: 1 }]);
  await expect(load(["-"], { input: cut })).rejects.toThrow(
    "Standard input can't be read: unexpected end of file. Nothing of it was loaded.",
  );
  expect(readdirSync(workspace.folder.temp)).toEqual([]);
});

it("ends where it is interrupted between two files, and says no more of them", async () => {
  const { load, loads, write } = setUp();
  const controller = new AbortController();
  const stopped = new Error("stopped by a signal");
  const files = [write("first.jsonl", line(1)), "-"];
  const options = { input: line(2), signal: controller.signal, onLoad: () => controller.abort(stopped) };
  await expect(load(files, options)).rejects.toBe(stopped);
  expect(loads).toHaveLength(1);
});
