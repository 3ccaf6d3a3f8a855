import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { tempPrefix } from "./temp-folder.ts";

/** Compiles the program once, and fails the run when a test leaves a folder behind. */
export default function setup(): () => void {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  const before = leftovers();
  return () => {
    const left = leftovers().filter((name) => !before.includes(name));
    if (left.length > 0) throw new Error(`Tests left folders behind in ${tmpdir()}: ${left.join(", ")}`);
  };
}

function leftovers(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(tempPrefix));
}
