import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import {
  removeLeftFolders,
  withScratchFolder,
  withTemporaryFolder,
} from "../../src/load/temporary-folder.ts";
import { createTempFolder } from "../support/temp-folder.ts";

describe("a temporary folder", () => {
  it("is empty, in the given folder, and removed with its content when the work ends", async () => {
    const parent = createTempFolder();
    const answer = await withTemporaryFolder(parent, "stdin", async (folder) => {
      expect(dirname(folder)).toBe(parent);
      expect(readdirSync(folder)).toEqual([]);
      mkdirSync(join(folder, "inner"));
      writeFileSync(join(folder, "inner", "landing.jsonl"), "{}");
      return "read";
    });
    expect(answer).toBe("read");
    expect(readdirSync(parent)).toEqual([]);
  });

  it("is removed if the work fails", async () => {
    const parent = createTempFolder();
    const failed = withTemporaryFolder(parent, "load", async (folder) => {
      writeFileSync(join(folder, "landing.jsonl"), "{}");
      throw new Error("the disk is full");
    });
    await expect(failed).rejects.toThrow("the disk is full");
    expect(readdirSync(parent)).toEqual([]);
  });

  it("may be removed by the work itself", async () => {
    const parent = createTempFolder();
    await withTemporaryFolder(parent, "load", async () => await removeLeftFolders(parent));
    expect(readdirSync(parent)).toEqual([]);
  });
});

it("leftovers of killed loads are removed, and nothing else", async () => {
  const parent = createTempFolder();
  for (const name of ["stdin-a1", "load-b2", "loads", "my-load-c3", "report-d4"]) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, "landing.jsonl"), "{}");
  }
  await removeLeftFolders(parent);
  expect(readdirSync(parent).sort()).toEqual(["loads", "my-load-c3", "report-d4"]);
});

describe("a load's scratch folder is", () => {
  const open = async (tempDir?: string) => {
    const warehouse = await DuckDb.open(tempDir === undefined ? {} : { tempDir });
    onTestFinished(() => warehouse.close());
    return warehouse;
  };

  it("where DuckDB keeps its temporary files, even if it has none yet", async () => {
    const tempDir = join(createTempFolder(), "data", "tmp");
    const scratch = await withScratchFolder(await open(tempDir), async (folder) => {
      expect(existsSync(folder)).toBe(true);
      return folder;
    });
    expect(dirname(scratch)).toBe(tempDir);
    expect(readdirSync(tempDir)).toEqual([]);
  });

  it("among the system's temporary files, if DuckDB would keep its own next to the program", async () => {
    const scratch = await withScratchFolder(await open(), async (folder) => folder);
    expect(dirname(scratch)).toBe(tmpdir());
  });
});
