import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/util/files/package-files.ts";

export interface LockedPackage {
  /** Below `node_modules`. */
  path: string;
  name: string;
  version: string;
  license?: string;
  dev?: boolean;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  os?: string[];
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

/** Every package of `package-lock.json` except this one. */
export function lockedPackages(): LockedPackage[] {
  const lock: { packages: Record<string, Omit<LockedPackage, "path" | "name">> } = JSON.parse(
    readFileSync(join(packageRoot, "package-lock.json"), "utf8"),
  );
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    path === "" ? [] : [{ ...entry, path, name: path.slice(path.lastIndexOf("node_modules/") + 13) }],
  );
}

/** Packages that users install. */
export function shippedPackages(): LockedPackage[] {
  return lockedPackages().filter(({ dev }) => dev !== true);
}
