import { expect, it } from "vitest";
import { distinctFileNames } from "../../../src/report/split/file-names.ts";

it.each<[string, [name: string, id?: number][], string[]]>([
  ["letters of any language", [["Zürich – مقهى 2"]], ["Zürich - مقهى 2"]],
  [
    "paths, and characters that systems refuse",
    [["../a/b:c*?"], ["..."], [""]],
    ["a-b-c", "unnamed", "unnamed 2"],
  ],
  ["names that Windows reserves", [["CON"], ["nul"]], ["CON_", "nul_"]],
  [
    "equal names, in any case, with their ids",
    [
      ["Bar", 7],
      ["bar", 8],
      ["Gym", 9],
    ],
    ["Bar 7", "bar 8", "Gym"],
  ],
  ["equal names without ids", [["Ann"], ["ann"], ["ann 2"]], ["Ann", "ann 2", "ann 2 2"]],
  ["long names", [["x".repeat(300)]], ["x".repeat(60)]],
])("%s", (_label, names, files) => {
  expect(distinctFileNames(names.map(([name, id]) => ({ name, id })))).toEqual(files);
});
