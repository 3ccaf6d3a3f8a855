import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/util/files/package-files.ts";

export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...readdirSync(join(packageRoot, "docs")).flatMap((name) => (name.endsWith(".md") ? `docs/${name}` : [])),
];

function readPage(page: string): string {
  return readFileSync(join(packageRoot, page), "utf8");
}

export interface Block {
  language: string;
  text: string;
}

/** Text between fences, by language: `sh`, `ini`, …; includes indented fences in lists. */
export function blocksOf(page: string): Block[] {
  return blocksIn(readPage(page));
}

/** Blocks under a second-level heading. */
export function blocksUnder(page: string, heading: string): Block[] {
  const [, after = ""] = readPage(page).split(`\n## ${heading}\n`);
  return blocksIn(after.split("\n## ", 1)[0] ?? "");
}

function blocksIn(text: string): Block[] {
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = "", language = "", text = ""]) => ({
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
}

export function proseOf(page: string): string {
  return readPage(page).replaceAll(/^( *)```\w+\n[\s\S]*?^\1```$/gm, "");
}

/** Text between backticks outside blocks. */
export function codeSpansOf(page: string): string[] {
  return [...proseOf(page).matchAll(/(`+)(.+?)\1(?!`)/gs)].map(([, , text = ""]) =>
    text.replaceAll("\n", " "),
  );
}

/** Cells of the first table under a heading; a blank line ends it. */
export function tableUnder(page: string, heading: string): string[][] {
  const [, section = ""] = readPage(page).split(`\n${heading}\n`);
  const lines = section.split("\n");
  const rows = lines.slice(lines.findIndex((line) => line.startsWith("|---")) + 1);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

/** Words between backticks in the first column of a table. */
export function namesUnder(page: string, heading: string): string[] {
  return tableUnder(page, heading).flatMap(([names = ""]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
}
