import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { type Finished, type RunOptions, runVenue } from "./run-venue.ts";

const fixtures = fileURLToPath(new URL("../fixtures/lake/", import.meta.url));

type Tables = Record<string, Record<string, unknown>[]>;

/** `now` is the time of the last request; `files` are contents in base64, by path. */
const { now, files }: { now: string; files: Record<string, string> } = unpack("lake.json");

function unpack<Content>(name: string): Content {
  return JSON.parse(brotliDecompressSync(readFileSync(join(fixtures, `${name}.br`))).toString());
}

/** Returns the content of each file of the lake, by path. */
export function readLakeFiles(): [path: string, content: Buffer][] {
  return Object.entries(files).map(([path, content]) => [path, Buffer.from(content, "base64")]);
}

export function placeLake(folder: string): void {
  for (const [path, content] of readLakeFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Prepares a machine with the reference file of the lake's machine `east`. */
export function prepareLoader(workingFolder: string): RunOptions & { dataFolder: string } {
  const dataFolder = join(workingFolder, "data");
  cpSync(join(fixtures, "group_names.csv"), join(dataFolder, "reference/group_names.csv"), {
    recursive: true,
  });
  return {
    workingFolder,
    dataFolder,
    environment: { VENUE_HOME: join(workingFolder, "home"), VENUE_NOW: now },
  };
}

export async function runWell(options: RunOptions, ...words: string[]): Promise<Finished> {
  const finished = await runVenue(words, options);
  if (finished.code !== 0) throw new Error(`venue ${words.join(" ")}: ${finished.stderr}`);
  return finished;
}

/** Returns the rows of each table that version 0.2 published from the lake. */
export function readExpectedTables(): Record<string, string[]> {
  return comparable(unpack("expected.json"));
}

/** Returns the rows of these tables, as published by a machine. */
export async function readPublishedTables(
  machine: RunOptions,
  names: readonly string[],
): Promise<Record<string, string[]>> {
  const tables: Tables = {};
  for (const name of names) {
    const { stdout } = await runWell(machine, "query", `select * from ${name}`, "--format", "json");
    tables[name] = JSON.parse(stdout);
  }
  return comparable(tables);
}

/** Numbers that each machine assigns, and properties of a version. */
const ofMachine = /^(load_id|snapshot_id|rule_id|version|published_at|built_at|software_\w+)$/;

/** Rules are expanded two to three months ahead, so the last dates depend on the time of the last expansion. */
const firstUnsureDate = "2026-12-01";

function comparable(tables: Tables): Record<string, string[]> {
  const each = Object.entries(tables).map(([table, rows]) => {
    const sure = rows.filter(({ date }) => table !== "fact_rule_date" || String(date) < firstUnsureDate);
    const texts = sure.map((row) =>
      JSON.stringify(Object.entries(row).filter(([name]) => !ofMachine.test(name))),
    );
    return [table, texts.sort()] as const;
  });
  return Object.fromEntries(each);
}
