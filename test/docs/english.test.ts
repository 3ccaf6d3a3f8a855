import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";

/** Start of a comment in TypeScript or SQL. */
const comment = String.raw`(?:\/\/|\/\*\*|^\s*\*|--)\s*`;

/** Wording that readers stop at. */
const habits: readonly { name: string; pattern: RegExp; write: string; most?: number; in?: RegExp }[] = [
  {
    name: 'a comment that starts with "Of"',
    pattern: new RegExp(`${comment}Of\\s`),
    in: /./,
    write: 'a sentence with a subject and a verb: "Longer lines are truncated."',
  },
  {
    name: "a comment that starts with a noun clause",
    pattern: new RegExp(`${comment}(?:What|Whether|How|Whose|Where)\\s`),
    write: 'a noun phrase, or a verb in the third person: "Returns the age in seconds."',
    most: 40,
  },
  {
    name: "code that says or tells",
    pattern: new RegExp(`${comment}.*\\b(?:tell|tells|told|say|says|said)\\b`),
    write: "returns, reports, shows, records, states, lists",
    most: 30,
  },
  {
    name: "an archaic or literal word",
    pattern: /(?<!["'`])\b(?:anew|mends?|mended|beside|behind|therein|take-away)\b/i,
    write: "again, fix, next to, after, there, download",
    most: 20,
  },
  {
    name: '" is no X"',
    pattern: / is no /,
    write: 'is not an X, has no X, "X is missing"',
    most: 5,
  },
  { name: '"there is not"', pattern: /\bthere is not\b/i, write: "X does not exist, X is missing" },
  { name: '"so many", "such as X is"', pattern: /\bso many\b/i, write: "a number, or: this many" },
  {
    name: '"tells of", "speaks of"',
    pattern: /\b(?:tells?|told|speaks?) of\b/i,
    write: "describes, reports, contains",
  },
  { name: '"the middle one"', pattern: /\bthe middle one\b/i, write: "the median" },
  {
    name: '"is to be", "are to be"',
    pattern: new RegExp(`${comment}.*\\b(?:is|are) to be\\b`),
    write: "must be, will be",
  },
];

/** Applied migrations are identified by their hash and cannot be reworded. */
const texts = ["src", "sql", "test", "docs"]
  .flatMap((folder) => readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.(?:ts|sql|md)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name).slice(packageRoot.length))
  .concat("README.md", "CONTRIBUTING.md", "SECURITY.md")
  .filter((file) => !/^sql\/(?:warehouse|state)\/|fixtures|english\.test/.test(file));

it.each(habits)("nobody writes $name", ({ pattern, write, most = 0, in: where = /^(?!test)/ }) => {
  const found = texts
    .filter((file) => where.test(file))
    .flatMap((file) =>
      readFileSync(join(packageRoot, file), "utf8")
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
  expect(found.length > most ? found : [], `Write instead: ${write}.`).toEqual([]);
});
