import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureProcess } from "./measured-process.mjs";

export const program = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));

/** The morning after the history and one more day. */
export const now = "2026-01-01T12:00:00Z";

/** The working folder and environment of measured processes: no `.env`, no settings but the clock. */
export function outside(folder) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VENUE_")));
  return { cwd: folder, env: { ...env, VENUE_HOME: join(folder, "home"), VENUE_NOW: now } };
}

/** Runs `venue …` over a data folder, in a separate process. */
export async function measureVenue(folder, dataFolder, words) {
  return await measureProcess(
    process.execPath,
    [program, ...words, "--data-dir", dataFolder],
    outside(folder),
  );
}
