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

/** Cells of all tables under a second-level heading, without the rows of headers. */
export function tableUnder(page: string, heading: string): string[][] {
  const [, after = ""] = readPage(page).split(`\n${heading}\n`);
  const [section = ""] = after.split("\n## ", 1);
  return [...section.matchAll(/^\|---.*\n((?:\|.*\n)*)/gm)].flatMap(([, rows = ""]) => cellsOf(rows));
}

/** Cells of the tables with this line of headers. */
export function rowsBelow(page: string, headers: string): string[][] {
  const tables = readPage(page).split(`\n${headers}\n`).slice(1);
  return tables.flatMap((table) => cellsOf(/^\|---.*\n((?:\|.*\n)*)/.exec(table)?.[1] ?? ""));
}

function cellsOf(rows: string): string[][] {
  const lines = rows.split("\n").slice(0, -1);
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

/** Words between backticks in the first columns of the tables under a second-level heading. */
export function namesUnder(page: string, heading: string): string[] {
  return tableUnder(page, heading).flatMap(([names = ""]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
}
