import { existsSync } from "node:fs";
import { join } from "node:path";
import { findCurrentVersion } from "../mart/published-versions.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { listFiles } from "./copy-file.ts";

/**
 * What a backup takes as it lies in the data folder, relative to it. Not in it: reports and older versions, which are
 * made again or swept, and landings that were loaded, which are in the warehouse.
 */
export function listSources({ folder, state }: Workspace): string[] {
  const loaded = new Set(state.landings.listLoaded().map(({ path }) => path));
  const version = findCurrentVersion(folder.published);
  const below = (parent: string) => listFiles(parent).map((name) => folder.relativePath(join(parent, name)));
  return [
    ...(existsSync(folder.warehouseFile) ? [folder.relativePath(folder.warehouseFile)] : []),
    ...below(folder.reference),
    ...below(folder.landing).filter((path) => !loaded.has(path)),
    ...(version === undefined ? [] : below(join(folder.published, version))),
  ];
}
