import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectGarbage } from "../support/collect-garbage.ts";
import { type Figures, type Setup, trueFigures } from "../support/service.ts";
import { tempPrefix } from "../support/temp-folder.ts";
import { openSecondDay, succeed } from "./second-day.ts";

export const places = {
  earlierBackup: "backups/first",
  backup: "backups/second",
  /** Readers of a copy use it as their data folder. */
  share: "share",
  copy: "share/published",
  secret: "home/credentials.json",
} as const;

export const secret = '{"client_id":"a","client_secret":"s3cret"}';

/** A machine after two days' runs, with a backup and a published copy of the first day. */
export interface PreparedWorld {
  base: Setup;
  first: Figures;
  second: Figures;
  close(): Promise<void>;
}

export async function openPreparedWorld(): Promise<PreparedWorld> {
  const folder = mkdtempSync(join(tmpdir(), tempPrefix));
  const workingFolder = join(folder, "base");
  mkdirSync(join(workingFolder, "home"), { recursive: true });
  writeFileSync(join(workingFolder, places.secret), secret, { mode: 0o600 });
  const { base, first } = await openSecondDay(workingFolder, 2, async (machine) => {
    await succeed(machine, "backup", "--to", places.earlierBackup, "--with-secret");
    await succeed(machine, "publish", "--to", places.copy);
  });
  await succeed(base, "run");
  // Otherwise SQLite's files next to its databases would be copied with them.
  await collectGarbage();
  return {
    base,
    first,
    second: trueFigures(base.emulator.world, base.emulator.now()),
    async close() {
      await base.emulator.close();
      rmSync(folder, { recursive: true });
    },
  };
}
