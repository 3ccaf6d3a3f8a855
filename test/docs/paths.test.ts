import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { proseOf } from "./pages.ts";

const paths = ["Start", "Export", "Walk", "Request", "Load", "Figure", "Campaign day"] as const;
const prose = proseOf("docs/architecture.md");

it.each(paths)("the files of a path exist and are listed once: %s", (path) => {
  const files = filesOf(path);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(join(packageRoot, file)))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});

it("an export passes through at most 75 files from `venue sync` to `core.play`", () => {
  const files = (["Start", "Export", "Request", "Load"] as const).flatMap(filesOf);
  expect(new Set(files).size).toBeLessThanOrEqual(75);
});

/** Files in the numbered list under a heading, as in "1. `src/main.ts`: starts the program"; an item may name several. */
function filesOf(path: (typeof paths)[number]): string[] {
  const [, after = ""] = prose.split(`\n### ${path}\n`);
  const [section = ""] = after.split(/^#+ /m, 1);
  const items = [...section.matchAll(/^\d+\. ((?:`[^`]+`(?:, )?)+): /gm)].map(([, names = ""]) => names);
  return items.flatMap((names) => [...names.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file));
}
