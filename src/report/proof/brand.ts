import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ownError } from "../../mart/own/own-file.ts";
import { getErrorMessage } from "../../util/venue-error.ts";

/** The letterhead of a proof, from the files in `brand/` of the own folder. Each is optional. */
export interface Brand {
  /** `logo.svg`, which pages show as an image, so that it runs no script and loads nothing. */
  logo?: string;
  /** `brand.css`, which styles the letterhead only. */
  css?: string;
  /** `about.md`: paragraphs separated by blank lines; a line with `#` is a heading. */
  about?: string;
}

const files = { logo: "logo.svg", css: "brand.css", about: "about.md" } as const;
/** Longest files in bytes: every proof contains them, a workbook the texts in one cell. */
const maxBytes = { logo: 500_000, css: 100_000, about: 30_000 } as const;

/** Reads the brand of an own folder, which need not exist. @throws {VenueError} `OWN_FILE` naming a file that cannot be used */
export function readBrand(ownFolder: string): Brand {
  const found = (Object.keys(files) as (keyof Brand)[]).flatMap((part) => {
    const name = files[part];
    const path = join(ownFolder, "brand", name);
    if (!existsSync(path)) return [];
    const shown = join(basename(ownFolder), "brand", name);
    const text = readText(path, shown, maxBytes[part]);
    const problem =
      part === "css" ? findCssProblem(text) : part === "logo" ? findLogoProblem(text) : undefined;
    if (problem !== undefined) throw ownError(`${shown} can't be used: ${problem}`);
    return [[part, text] as const];
  });
  return Object.fromEntries(found);
}

/** Identifies a brand, so that a changed letterhead is noticed. */
export function hashBrand({ logo = "", css = "", about = "" }: Brand): string {
  return createHash("sha256")
    .update(JSON.stringify([logo, css, about]))
    .digest("hex");
}

function readText(path: string, shown: string, limit: number): string {
  let content: Buffer;
  try {
    if (statSync(path).size > limit) throw new Error(`it is larger than ${limit / 1000} kB`);
    content = readFileSync(path);
  } catch (cause) {
    throw ownError(`${shown} can't be read (${getErrorMessage(cause)}). Replace or remove it.`, { cause });
  }
  if (!isUtf8(content)) throw ownError(`${shown} is not UTF-8. Save it as UTF-8.`);
  return content
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n");
}

function findLogoProblem(text: string): string | undefined {
  return /<svg[\s>]/.test(text) ? undefined : "it has no <svg> element. Save the logo as SVG.";
}

/**
 * Returns what could load something. The policy of the document forbids that as well, but not every viewer obeys it.
 * Escapes could hide such words.
 */
function findCssProblem(text: string): string | undefined {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, " ");
  if (code.includes("\\")) return "it has a backslash. Write characters without escapes.";
  const [found] =
    /@(import|font-face)\b|\b(image-set|src|cross-fade|image|element)\s*\(|url\s*\(\s*(?!["']?data:)/i.exec(
      code,
    ) ?? [];
  return found === undefined
    ? undefined
    : `"${found.trim()}" could load something. A proof loads nothing: use colours, installed fonts and url(data:…).`;
}
