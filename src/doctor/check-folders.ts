import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { getCredentials } from "../config/credentials.ts";
import { DataFolder, prepareHome } from "../config/data-folder.ts";
import { ConfigError, type Settings, type UnknownSetting } from "../config/settings.ts";
import { variableNames } from "../config/variables.ts";
import { clientFileName } from "../state/client/client-state.ts";
import { packageRoot } from "../util/files/package-files.ts";
import { findClosestWord } from "../util/text/words.ts";
import { VenueError } from "../util/venue-error.ts";

const ampleFreeBytes = 2 * 1024 ** 3;
const minFreeBytes = 100 * 1024 ** 2;

export async function checkDataFolder(settings: Settings): Promise<string> {
  const { root, temp } = new DataFolder(settings.get("VENUE_DATA_DIR")).prepare();
  assertWritable("VENUE_DATA_DIR", temp);
  const { bavail, bsize } = await statfs(root);
  const free = bavail * bsize;
  const size = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free < minFreeBytes) {
    throw new ConfigError(
      "VENUE_DATA_DIR",
      `${root} has only ${size}. Make room, or set VENUE_DATA_DIR to a folder on another disk.`,
    );
  }
  return `${root} is writable, ${size}${free < ampleFreeBytes ? ": a whole history may not fit" : ""}`;
}

export function checkHome(settings: Settings): string {
  const home = prepareHome(settings.get("VENUE_HOME"));
  assertWritable("VENUE_HOME", home);
  const names = ["", "credentials.json", ...["", "-wal", "-shm"].map((end) => `${clientFileName}${end}`)];
  const isOpen = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  const open = names.map((name) => join(home, name)).filter(isOpen);
  if (open.length > 0) {
    throw new ConfigError(
      "VENUE_HOME",
      `Other users of this machine can use ${open.join(", ")}. Run chmod go-rwx ${open.join(" ")}`,
    );
  }
  return `${home} is writable, and private to this user`;
}

function assertWritable(variable: "VENUE_DATA_DIR" | "VENUE_HOME", folder: string): void {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(file, "x", { mode: 0o600 });
  } catch (cause) {
    throw new ConfigError(
      variable,
      `${folder} can't be written to: ${(cause as Error).message}. Make it writable, or set ${variable} to another folder.`,
      { cause },
    );
  } finally {
    rmSync(file, { force: true });
  }
}

export function checkNode(): string {
  const { engines }: { engines: { node: string } } = JSON.parse(
    readFileSync(join(packageRoot, "package.json"), "utf8"),
  );
  const wanted = engines.node.replace(">=", "");
  if (compareVersions(process.versions.node, wanted) < 0) throw oldNodeError(wanted);
  return process.version;
}

/**
 * Compares version numbers part by part, so that `20.9.1` is older than `20.19`. Returns a negative number if
 * the first is older.
 */
function compareVersions(first: string, second: string): number {
  const [a, b] = [first, second].map((version) => version.split(".").map(Number));
  const differences = [0, 1, 2].map((index) => (a?.[index] ?? 0) - (b?.[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function oldNodeError(wanted: string): VenueError {
  return new VenueError(
    "OLD_NODE",
    "usage",
    `Node.js ${process.version} is too old. Install ${wanted} or newer.`,
  );
}

/** Throws the error of the first malformed setting. The list of settings shows the others. */
export function checkSettings(settings: Settings): string {
  const problems = variableNames.flatMap((name) => settings.findProblem(name) ?? []);
  if (problems[0]) throw problems[0];
  const unknown = settings.listUnknownSettings().map(describeUnknownSetting);
  return unknown.length === 0 ? "all well-formed" : `all well-formed, but ${unknown.join("; ")}`;
}

function describeUnknownSetting({ name, origin }: UnknownSetting): string {
  const stripPrefix = (setting: string) => setting.slice("VENUE_".length);
  const meant = findClosestWord(stripPrefix(name), variableNames.map(stripPrefix));
  return `${name} (from ${origin}) is not a setting${meant === undefined ? "" : `: did you mean VENUE_${meant}?`}`;
}

export function checkGroups(settings: Settings): string {
  return `to collect: ${settings.get("VENUE_GROUP_IDS").join(", ")}`;
}

export function checkCredentials(settings: Settings): string {
  const { clientId, origin } = getCredentials(settings);
  return `client ${clientId}, from ${origin}`;
}
