import { existsSync, renameSync } from "node:fs";
import { build } from "../../pipeline/build.ts";
import { type Workspace, withWarehouse } from "../../workspace/workspace.ts";
import { examineWarehouse } from "./examine-warehouse.ts";
import { reloadLandings } from "./reload-landings.ts";
import { forgetMart, salvageCore } from "./salvage-core.ts";

/**
 * Gives back a warehouse that was lost or damaged, as far as this machine can: `core` from the landings that are kept,
 * the mart from `core`. A damaged file is put aside, and nothing of it removed.
 * @returns what was done
 * @throws {WarehouseInUseError}
 */
export async function repairWarehouse(workspace: Workspace): Promise<string[]> {
  const { warehouseFile } = workspace.folder;
  const found = await examineWarehouse(workspace);
  const aside = `${warehouseFile}.damaged-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  switch (found.state) {
    case "whole":
      return [];
    case "missing":
    case "empty":
      return await reloadLandings(workspace);
    case "unreadable":
      putAside(warehouseFile, aside);
      return [
        `put ${warehouseFile}, which is damaged, aside as ${aside}`,
        ...(await reloadLandings(workspace)),
      ];
    case "mart lacking":
      return await rebuildMart(workspace, found.damage);
    case "mart damaged":
      await salvageCore(workspace, aside);
      return [
        `put ${warehouseFile}, which is damaged, aside as ${aside}, and copied what was loaded into a new one`,
        ...(await rebuildMart(workspace, found.damage)),
      ];
  }
}

function putAside(file: string, aside: string): void {
  renameSync(file, aside);
  if (existsSync(`${file}.wal`)) renameSync(`${file}.wal`, `${aside}.wal`);
}

async function rebuildMart(workspace: Workspace, damage: string): Promise<string[]> {
  const isOfLake = await withWarehouse(
    workspace,
    (warehouse) => forgetMart(warehouse, workspace.folder.published),
    ["loads", "lake"],
  );
  if (isOfLake) return [`had the next \`venue build --lake\` build everything anew: ${damage}`];
  const { built, published } = await build(workspace, { isFull: true });
  const outcome = published ? `published it as ${built.version}` : "did not publish it: see `venue check`";
  return [`built the mart anew, because ${damage}, and ${outcome}`];
}
