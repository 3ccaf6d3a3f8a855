import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { customError } from "../../mart/custom/custom-file.ts";
import { getErrorMessage } from "../../util/venue-error.ts";

/** The letterhead of a proof, from files in `brand/` of the folder `own`. Each is optional. */
export interface Brand {
  /** `logo.svg`, which pages show as an image, so that it runs no script and loads nothing. */
  logo?: string;
  /** `about.md`: paragraphs separated by blank lines; a line with `#` is a heading. */
  about?: string;
}

/** Maximum sizes in bytes: every proof contains these files, and a workbook has the text in one cell. */
const files = { logo: ["logo.svg", 500_000], about: ["about.md", 30_000] } as const;

/** Reads the brand from the folder `own`, which may be missing. @throws {VenueError} `OWN_FILE` for an unusable file */
export function readBrand(customFolder: string): Brand {
  const found = Object.entries(files).flatMap(([part, [name, limit]]) => {
    const path = join(customFolder, "brand", name);
    return existsSync(path)
      ? [[part, readText(path, join(basename(customFolder), "brand", name), limit)]]
      : [];
  });
  const brand: Brand = Object.fromEntries(found);
  if (brand.logo !== undefined && !/<svg[\s>]/.test(brand.logo))
    throw customError("brand/logo.svg can't be used: it has no <svg> element. Save the logo as SVG.");
  return brand;
}

function readText(path: string, shown: string, limit: number): string {
  let content: Buffer;
  try {
    if (statSync(path).size > limit) throw new Error(`it is larger than ${limit / 1000} kB`);
    content = readFileSync(path);
  } catch (cause) {
    throw customError(`${shown} can't be read (${getErrorMessage(cause)}). Replace or remove it.`, { cause });
  }
  if (!isUtf8(content)) throw customError(`${shown} is not UTF-8. Save it as UTF-8.`);
  return content
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n");
}
