import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../util/files/package-files.ts";
import { darkRules, palette } from "../charts/palette.ts";

const folder = join(packageRoot, "src", "report", "html", "assets");
const variables = ["ink", "muted", "line", "paper", "paleGrey", "blue", "amber", "orange"] as const;

/** The style of every page: `page.css` with the palette's colours. The page's policy allows exactly this text. */
export const pageStyle: string = `
:root{color-scheme:light;${colours("light")}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${colours("dark")}}${darkRules()}}
${readFileSync(join(folder, "page.css"), "utf8")}`;

/** The script of every page. The page's policy allows exactly this text; without it, tables stay as written. */
export const pageScript: string = readFileSync(join(folder, "page.js"), "utf8");

function colours(shade: "light" | "dark"): string {
  return variables.map((name) => `--${name}:${palette[name][shade]};`).join("");
}
