import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The part of a unified diff that changes one file. */
interface FileChange {
  /** Relative to the project. */
  path: string;
  /** Adjacent lines, before and after. */
  hunks: { before: string; after: string }[];
}

export function parseDiff(diff: string): FileChange[] {
  return diff
    .split(/^--- (?:a\/.*|\/dev\/null)\n/m)
    .slice(1)
    .map((text) => {
      const [first = "", ...hunks] = text.split(/^@@ .*\n/m);
      return {
        path: first.replace(/^\+\+\+ b\//, "").trimEnd(),
        hunks: hunks.map((hunk) => {
          const lines = hunk.match(/.*\n/g) ?? [];
          const without = (sign: string) =>
            lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
          return { before: without("+").join(""), after: without("-").join("") };
        }),
      };
    });
}

/**
 * Changes or creates a file below `folder`. Line numbers are ignored, so that a diff stays valid when other lines
 * change.
 * @throws {Error} when the lines of a hunk are missing or occur more than once
 */
export function applyChange(folder: string, { path, hunks }: FileChange): void {
  const file = join(folder, path);
  const changed = hunks.reduce(
    (text, { before, after }) => {
      const parts = `\n${text}`.split(`\n${before}`);
      if (parts.length !== 2)
        throw new Error(`${path}: these lines occur ${parts.length - 1} times:\n${before}`);
      return parts.join(`\n${after}`).slice(1);
    },
    existsSync(file) ? readFileSync(file, "utf8") : "",
  );
  writeFileSync(file, changed);
}
