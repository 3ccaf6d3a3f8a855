import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { codeSpansOf, pages, proseOf } from "./pages.ts";

interface Link {
  text: string;
  /** Relative to the package. */
  file: string;
  /** Without `#`; `""` for the page itself. */
  anchor: string;
}

describe.each(pages)("%s", (page) => {
  it("links to existing files and headings", () => {
    const broken = linksOf(page).filter(
      ({ file, anchor }) =>
        !existsSync(join(packageRoot, file)) || (anchor !== "" && !anchorsOf(file).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });

  it("links only to files in the package, except from pages for developers", () => {
    if (!isShipped(page)) return;
    const lacking = linksOf(page).filter(({ file }) => !isShipped(file));
    expect(lacking.filter(({ file }) => !forRepository().includes(file))).toEqual([]);
    // Readers of these pages have the repository or the list of all pages.
    if (!["README.md", "CONTRIBUTING.md"].includes(page)) expect(lacking).toEqual([]);
  });

  it("names existing files and folders of the repository", () => {
    // Released changes name files of their time.
    if (page === "CHANGELOG.md") return;
    const named = codeSpansOf(page).filter((text) =>
      /^(src|sql|test|docs|data\/reference)\/[\w./-]*$/.test(text),
    );
    expect(named.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
  });
});

it("the README is short, and images are small", () => {
  expect(statSync(join(packageRoot, "README.md")).size).toBeLessThanOrEqual(8 * 1024);
  const pictures = pages.flatMap(linksOf).filter(({ file }) => file.endsWith(".png"));
  expect(pictures).not.toEqual([]);
  for (const { file } of pictures)
    expect(statSync(join(packageRoot, file)).size, file).toBeLessThanOrEqual(80 * 1024);
});

it("the changelog's newest version is the package's", () => {
  const versions = [...proseOf("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, name = ""]) => name);
  const { version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  expect(versions.find((name) => name !== "Unreleased")).toBe(version);
  expect(versions.indexOf("Unreleased")).toBeLessThanOrEqual(0);
});

/** Relative links and images. */
function linksOf(page: string): Link[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, text = ""]) => {
    if (/^[a-z]+:/.test(text)) return [];
    const [path = "", anchor = ""] = text.split("#");
    return { text, file: path === "" ? page : normalize(join(dirname(page), path)), anchor };
  });
}

function anchorsOf(page: string): string[] {
  const seen = new Map<string, number>();
  return [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => {
    const anchor = anchorOf(heading);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** The anchor that code hosts derive from a heading. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** Returns whether `npm pack` includes the file: npm adds the README, the licence and package.json itself. */
function isShipped(file: string): boolean {
  const shipped = [...packageFiles(), "README.md", "LICENSE", "package.json"];
  return (
    !forRepository().includes(file) && shipped.some((name) => file === name || file.startsWith(`${name}/`))
  );
}

/** Files that `package.json` excludes from the package. */
function forRepository(): string[] {
  return packageFiles().flatMap((name) => (name.startsWith("!") ? [name.slice(1)] : []));
}

function packageFiles(): string[] {
  return JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")).files;
}
