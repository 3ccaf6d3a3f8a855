// Writes dist/commit: the commit that dist/ is made from, with "-dirty" where files differ from it. Outside a clone there is none.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";

rmSync("dist/commit", { force: true });
// A folder without .git may lie in a clone of something else.
if (git("rev-parse", "--show-prefix") === "") {
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/commit", `${git("describe", "--always", "--abbrev=40", "--exclude=*", "--dirty")}\n`);
}

function git(...args) {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}
