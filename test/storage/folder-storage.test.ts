import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { withFileLock } from "../../src/storage/file-lock.ts";
import { identifyThisProcess } from "../../src/util/process-liveness.ts";
import { deadProcess } from "../support/dead-pid.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { testStorage } from "./storage-suite.ts";

describe("a folder", () => {
  testStorage({
    createTarget: () => join(createTempFolder(), "not there yet"),
    abandonUpload: async (target, key) => {
      const file = join(target, key);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(join(dirname(file), `.unfinished-${randomUUID()}-${basename(file)}`), "half");
    },
  });
});

it.each([
  ["a disk with enough space", 300, "true", ["copy"]],
  ["a disk that stores only a part of it", 100, "EFBIG", []],
])("downloads a file to %s", async (_disk, blocks, outcome, left) => {
  const [from, to] = [createTempFolder(), createTempFolder()];
  const content = Buffer.alloc(100_000, "a");
  writeFileSync(join(from, "file"), content);
  // The limit on file sizes, in blocks of 512 bytes, cuts a write short, as a full disk does.
  const { stdout } = await promisify(execFile)("sh", [
    ...["-c", `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath],
    fileURLToPath(new URL("download.child.mjs", import.meta.url)),
    ...[from, "file", `${content.length}`, createHash("sha256").update(content).digest("hex")],
    join(to, "copy"),
  ]);
  expect([stdout, readdirSync(to)]).toEqual([outcome, left]);
});

describe("the lock of a file", () => {
  const lockBy = (holder: string) => {
    const folder = createTempFolder();
    symlinkSync(`${holder}\n1`, join(folder, ".lock-current.json"));
    return folder;
  };

  it("is taken over from a killed process", async () => {
    const folder = lockBy(deadProcess());
    expect(await withFileLock(join(folder, "current.json"), () => readdirSync(folder))).toEqual([
      ".lock-current.json",
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["a running process", identifyThisProcess()],
    ["another machine", "1 1 elsewhere"],
  ])("is left to %s", async (_who, holder) => {
    const folder = lockBy(holder);
    const locked = withFileLock(join(folder, "current.json"), () => "never", 1);
    await expect(locked).rejects.toThrow(expect.objectContaining({ code: "FILE_LOCKED" }));
    expect(readdirSync(folder)).toEqual([".lock-current.json"]);
  });
});
