import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { itEachSampled, share } from "../support/long-suite.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { Random, randomLines } from "./history/random-lines.ts";

const script = fileURLToPath(new URL("killed-load.child.mjs", import.meta.url));
const shape = { zones: 4, days: 5, badShare: 0.02, isContradictory: true };

interface Ended {
  signal: NodeJS.Signals | null;
  stderr: string;
}

/** Loads a file in a separate process that is killed at a statement. */
async function load(dataFolder: string, file: string, killedAt = 0): Promise<Ended> {
  const args = [script, String(killedAt), "load", file, "--kind", "music", "--data-dir", dataFolder];
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR };
  return await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: dataFolder, env }, (error, _stdout, stderr) => {
      resolve({ signal: error?.signal ?? null, stderr });
    });
  });
}

/** Results of loads, without load ids. */
async function readCore(dataFolder: string) {
  const warehouse = await openWarehouse({ path: join(dataFolder, "warehouse.duckdb"), threads: 1 });
  try {
    return {
      plays: await warehouse.all(
        "select * exclude (first_load_id, last_load_id, line_hash) from core.play order by all",
      ),
      rejects: await warehouse.all("select distinct * exclude (load_id) from core.reject order by all"),
      names: await warehouse.all("select * from core.name_span order by all"),
      dirty: await warehouse.all("select distinct * from core.dirty_day order by all"),
      loads: await warehouse.all(
        "select * exclude (load_id, landing_id, requested_at, loaded_at) from core.load order by all",
      ),
      zoneDays: await warehouse.all("select * from core.zone_day order by all"),
    };
  } finally {
    warehouse.close();
  }
}

itEachSampled(["", ".gz"], 1)(
  "a load%s killed at any statement is repeated as if it had not begun",
  async (end) => {
    const folder = createTempFolder();
    const random = new Random(3);
    const write = (name: string, lines: readonly { text: string }[]) => {
      const text = lines.map((line) => `${line.text}\n`).join("");
      const path = join(folder, `${name}.jsonl${end}`);
      writeFileSync(path, end ? gzipSync(text) : text);
      return path;
    };
    const lines = randomLines(random, 1500, shape);
    const before = join(folder, "before");
    mkdirSync(before);
    expect(await load(before, write("first", lines))).toMatchObject({ signal: null });
    // Repeated and contradicting lines, so that the load runs all its steps.
    const file = write("second", [...lines, ...randomLines(random, 300, shape), ...lines.slice(0, 20)]);

    const begin = (name: string) => {
      const dataFolder = join(folder, name);
      cpSync(before, dataFolder, { recursive: true });
      return dataFolder;
    };
    const unharmed = begin("unharmed");
    const { stderr } = await load(unharmed, file);
    const told = /statements: (\d+), changing core: (\d+) to (\d+)/.exec(stderr)?.slice(1).map(Number);
    const [statements = 0, begun = 0, ended = 0] = told ?? [];
    expect(statements).toBeGreaterThan(Math.max(30, ended));
    expect(ended - begun).toBeGreaterThan(10);
    const core = await readCore(unharmed);
    expect(readdirSync(join(unharmed, "tmp"))).toEqual([]);
    const leftIn = (dataFolder: string) =>
      existsSync(join(dataFolder, "tmp")) ? readdirSync(join(dataFolder, "tmp")) : [];

    // Halfway through the changes to core, and before the last one; then anywhere.
    const within = [0.5, 1].map((part) => Math.round(begun + part * (ended - begun)));
    const everywhere = Array.from({ length: 9 }, (_, index) => Math.round(((index + 1) * statements) / 9));
    for (const killedAt of share(within.slice(0, 1), within, [...within, ...everywhere])) {
      const dataFolder = begin(`killed-${killedAt}`);
      expect(await load(dataFolder, file, killedAt)).toMatchObject({ signal: "SIGKILL" });
      // The next load also removes the killed one's folder.
      expect(await load(dataFolder, file)).toMatchObject({ signal: null });
      expect({ killedAt, core: await readCore(dataFolder) }).toEqual({ killedAt, core });
      expect(readdirSync(dataFolder)).toEqual(readdirSync(unharmed));
      expect(leftIn(dataFolder)).toEqual([]);
    }
  },
);
