import { expect, it } from "vitest";
import { PublishFolderError, translatingFolderErrors } from "../../src/publish/publish-to.ts";

it.each([
  ["a full disk", Object.assign(new Error("write"), { code: "ENOSPC" }), "the disk is full"],
  ["a folder of someone else", Object.assign(new Error("mkdir"), { code: "EACCES" }), "may not write there"],
  ["a disk that fails", Object.assign(new Error("fsync"), { code: "EIO" }), "the disk failed"],
  ["a read-only disk", Object.assign(new Error("mkdir"), { code: "EROFS" }), "read-only"],
  ["a file in the way", Object.assign(new Error("mkdir"), { code: "ENOTDIR" }), "is a file"],
  [
    "a full disk, as DuckDB says it",
    new Error('IO Error: Could not write file "x": No space left on device'),
    "full",
  ],
  [
    "a folder of someone else, as DuckDB says it",
    new Error('IO Error: open "x": Permission denied'),
    "may not",
  ],
])("%s", async (_label, cause, reason) => {
  const failed = translatingFolderErrors("/data/published", () => Promise.reject(cause));
  await expect(failed).rejects.toThrow(PublishFolderError);
  await expect(failed).rejects.toMatchObject({ category: "usage", folder: "/data/published", cause });
  await expect(failed).rejects.toThrow(reason);
});

it("lets every other trouble pass as it is", async () => {
  const bug = new Error("undefined is not a function");
  await expect(translatingFolderErrors("/data", () => Promise.reject(bug))).rejects.toBe(bug);
});

it("reads as one sentence after the other", async () => {
  const cause = Object.assign(new Error("write"), { code: "ENOSPC" });
  await expect(
    translatingFolderErrors("/data/published", () => Promise.reject(cause)),
  ).rejects.toThrowErrorMatchingInlineSnapshot(
    `[PublishFolderError: Can't publish into /data/published: the disk is full. Free some space, and run this again. What was published before is untouched.]`,
  );
});

it("refuses a folder whose path DuckDB misreads, before anything is written", async () => {
  const failed = translatingFolderErrors("/data/a\\b", () => Promise.reject(new Error("it began")));
  await expect(failed).rejects.toThrow("with a \\ in it. Choose another folder");
});
