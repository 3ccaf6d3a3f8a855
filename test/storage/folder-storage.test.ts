import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withFileLock } from "../../src/storage/file-lock.ts";
import { identifyOwnProcess } from "../../src/util/process-liveness.ts";
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

describe("the lock of a file", () => {
  const lockBy = (holder: string) => {
    const folder = createTempFolder();
    writeFileSync(join(folder, ".lock-current.json"), `${holder}\n1\n`);
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
    ["a running process", identifyOwnProcess()],
    ["another machine", "1 1 elsewhere"],
  ])("is left to %s", async (_who, holder) => {
    const folder = lockBy(holder);
    const locked = withFileLock(join(folder, "current.json"), () => "never", 1);
    await expect(locked).rejects.toThrow(expect.objectContaining({ code: "FILE_LOCKED" }));
    expect(readdirSync(folder)).toEqual([".lock-current.json"]);
  });
});
