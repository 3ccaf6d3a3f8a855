import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

const made = new Map<string, Promise<string>>();

/**
 * A folder that is filled once in the whole run, by whoever asks first, and that all others read. Nothing in it may be
 * changed.
 * @param name says all that its content depends on
 */
export async function shareFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = made.get(name) ?? make(name, fill);
  made.set(name, folder);
  return await folder;
}

async function make(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const path = join(inject("sharedFolder"), name.replaceAll(/[^\w-]/g, "-"));
  if (existsSync(path)) return path;
  const own = mkdtempSync(`${path}.`);
  await fill(own);
  try {
    renameSync(own, path);
  } catch {
    // Another process was quicker.
    rmSync(own, { recursive: true, force: true });
  }
  return path;
}
