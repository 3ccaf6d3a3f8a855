import { existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";

const made = new Map<string, Promise<string>>();

/**
 * A folder filled once per run, by the first caller, and read by all others. It must not be changed.
 * @param name contains everything that the content depends on
 */
export async function shareFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = made.get(name) ?? make(name, fill);
  made.set(name, folder);
  return await folder;
}

async function make(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const path = join(inject("sharedFolder"), name.replaceAll(/[^\w-]/g, "-"));
  const lock = `${path}.lock`;
  while (!take(lock)) await setTimeout(100);
  try {
    if (existsSync(path)) return path;
    const own = mkdtempSync(`${path}.`);
    await fill(own);
    renameSync(own, path);
  } finally {
    rmdirSync(lock);
  }
  return path;
}

/** @returns true if no other process holds it */
function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
