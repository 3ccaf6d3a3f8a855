import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Gives `body` an empty folder in `parent` whose name begins with `prefix`, and removes it however `body` ends. */
export async function withTemporaryFolder<Result>(
  parent: string,
  prefix: string,
  body: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(parent, prefix));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the folders that a killed process left. Only for who knows that no other process uses one. */
export async function removeTemporaryFolders(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true });
  }
}
