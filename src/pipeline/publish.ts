import { publishCore } from "../publish/publish-core.ts";
import { publishTo } from "../publish/publish-to.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";

/** `mart`: the published version; `core`: what was loaded, as one source of a lake that several machines share. */
export type PublishTarget =
  | { layer: "mart"; to: string }
  | {
      layer: "core";
      to: string;
      /** Of this machine in the lake. */
      source: string;
    };

/** Writes into another folder, for readers there; answers one line for people. */
export async function publishInto(workspace: Workspace, target: PublishTarget): Promise<string> {
  const { folder, logger, signal } = workspace;
  const { to } = target;
  if (target.layer === "mart") {
    const manifest = await publishTo({ publishedFolder: folder.published, to, signal, logger });
    return `${to} now shows ${manifest.version}.`;
  }
  const { source } = target;
  return await withWarehouse(workspace, async (warehouse) => {
    const { files, rows } = await publishCore(warehouse, { to, source, signal, logger });
    return `${to} now holds ${rows} rows of ${source} in ${files} files.`;
  });
}
