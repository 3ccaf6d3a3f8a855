import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { swapLink } from "../../../src/util/files/durable-files.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it("points a link elsewhere, also where an earlier attempt was killed", () => {
  const folder = createTempFolder();
  const link = join(folder, "latest");
  swapLink(link, "2026-11-20");
  expect(readlinkSync(link)).toBe("2026-11-20");
  symlinkSync("2026-11-19", `${link}.${process.pid}.new`);
  swapLink(link, "2026-11-21");
  expect(readlinkSync(link)).toBe("2026-11-21");
  expect(readdirSync(folder)).toEqual(["latest"]);
});

it("leaves nothing behind where a folder has the link's name", () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, "latest"));
  expect(() => swapLink(join(folder, "latest"), "2026-11-21")).toThrow("EISDIR");
  expect(readdirSync(folder)).toEqual(["latest"]);
});
