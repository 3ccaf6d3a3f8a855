import { readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { mayBeSpilledInto } from "../../engines/duckdb/spill-folders.ts";
import { sweepLandings } from "../../load/landings/tidy-landings.ts";
import { removeUnfinished } from "../../publish/versions/sweep-versions.ts";
import { removeParts } from "../../report/format/remove-parts.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Younger than this, something in `tmp/` may be of a report that has only just begun. */
const youngMs = 10 * 60_000;
/** Where nobody can tell what is in use. */
const surelyOldMs = 24 * 3_600_000;

/**
 * Removes what runs that were killed left half done in the data folder. The holder of the run lock alone may do so;
 * reports may be read meanwhile.
 * @returns what was done
 */
export async function clearLeftovers(workspace: Workspace): Promise<string[]> {
  const { landing, published, reports, temp } = workspace.folder;
  return [
    ...(await removedBy(landing, () => sweepLandings(workspace))),
    ...(await removedBy(published, () => removeUnfinished(published))),
    ...removeParts(reports).map(sayRemoved),
    ...(await removedBy(temp, () => removeUnused(temp))),
  ];
}

/** What a removal took from a folder. */
async function removedBy(folder: string, remove: () => void | Promise<void>): Promise<string[]> {
  const before = readdirSync(folder);
  await remove();
  const left = new Set(readdirSync(folder));
  return before.filter((name) => !left.has(name)).map((name) => sayRemoved(join(folder, name)));
}

function sayRemoved(path: string): string {
  return `removed ${path}, which a run that was killed left half done`;
}

/** DuckDB's overflow and copies for a moment: no name tells whose they are. */
function removeUnused(folder: string): void {
  const open = openFiles();
  for (const name of readdirSync(folder)) {
    if (mayBeSpilledInto(folder, name)) continue;
    const path = join(folder, name);
    const ageMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const isUnused =
      open === undefined
        ? ageMs > surelyOldMs
        : ageMs > youngMs && !open.some((file) => file === path || file.startsWith(`${path}/`));
    if (isUnused) rmSync(path, { recursive: true, force: true });
  }
}

/** The files that processes have open, as far as we may see them; `undefined` where the system does not tell. */
function openFiles(): string[] | undefined {
  if (process.platform !== "linux") return undefined;
  return list("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => list(`/proc/${pid}/fd`).flatMap((fd) => target(`/proc/${pid}/fd/${fd}`)));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It has ended, or is another user's.
    return [];
  }
}

function target(link: string): string[] {
  try {
    return [readlinkSync(link)];
  } catch {
    return [];
  }
}
