import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** Trino 476 does not start on an older one. */
export const oldestJava = 24;

/** Folders of Java installations, or parents of such folders. */
const usualFolders = [
  "/usr/lib/jvm",
  "/opt",
  "/opt/java",
  "/Library/Java/JavaVirtualMachines",
  join(homedir(), ".sdkman/candidates/java"),
  join(homedir(), ".jdks"),
];

/** The home folder of a sufficiently new Java: `JAVA_HOME`, a usual folder, or from the `PATH`. */
export function findJava(environment: NodeJS.ProcessEnv, folders = usualFolders): string | undefined {
  const homes = [environment.JAVA_HOME ?? "", ...folders.flatMap(listHomes), ...homesOnPath(environment)];
  return homes.find((home) => home !== "" && versionOf(home) >= oldestJava);
}

function listHomes(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const inside = readdirSync(folder).map((name) => join(folder, name));
  return inside.flatMap((home) => [home, join(home, "Contents/Home")]);
}

function homesOnPath({ PATH = "" }: NodeJS.ProcessEnv): string[] {
  return PATH.split(delimiter)
    .map((folder) => join(folder, "java"))
    .filter((program) => existsSync(program))
    .map((program) => dirname(dirname(realpathSync(program))));
}

/** Version in its `release` file; 0 if there is none. */
function versionOf(home: string): number {
  const release = join(home, "release");
  if (!existsSync(release)) return 0;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, "utf8"))?.[1] ?? 0);
}
