import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveLinks } from "../../../src/util/files/folders.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

/** Creates links by name, each with its target; `file` is a file and `folder` is a folder. */
function makeLinks(links: Record<string, string>): (name: string) => string {
  const root = realpathSync(createTempFolder());
  writeFileSync(join(root, "file"), "");
  mkdirSync(join(root, "folder"));
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  return (name) => join(root, name);
}

it("resolves links to existing and missing targets", () => {
  const at = makeLinks({
    ...{ link: "file", twice: "link", disk: "folder", new: "folder/new", "twice-new": "new" },
    "folder/back": "../missing",
  });
  const targets = ["file", "link", "twice", "disk", "none", "new", "twice-new", "folder/back"].map((name) =>
    resolveLinks(at(name)),
  );
  expect(targets).toEqual(
    ["file", "file", "file", "folder", "none", "folder/new", "folder/new", "missing"].map(at),
  );
});

it("terminates on circular links", () => {
  const at = makeLinks({ here: "there", there: "here", self: "self" });
  expect([resolveLinks(at("here")), resolveLinks(at("self"))]).toEqual([at("here"), at("self")]);
});
