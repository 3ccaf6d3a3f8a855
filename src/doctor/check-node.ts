import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../util/files/package-files.ts";
import { VenueError } from "../util/venue-error.ts";

/** Compared with what `package.json` asks for. */
export function checkNode(): string {
  const { engines }: { engines: { node: string } } = JSON.parse(
    readFileSync(join(packageRoot, "package.json"), "utf8"),
  );
  const wanted = engines.node.replace(">=", "");
  if (compareVersions(process.versions.node, wanted) < 0) throw new OldNodeError(wanted);
  return process.version;
}

/** `20.9.1` comes before `20.19`; below 0: the first one is older. */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [first, second].map((version) => version.split(".").map(Number));
  const differences = [0, 1, 2].map((index) => (a?.[index] ?? 0) - (b?.[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** The program runs on a version of Node.js that it was not made for. */
class OldNodeError extends VenueError {
  override readonly name = "OldNodeError";
  readonly code = "OLD_NODE";
  readonly category = "usage";

  constructor(wanted: string) {
    super(`Node.js ${process.version} is too old. Install ${wanted} or newer.`);
  }
}
