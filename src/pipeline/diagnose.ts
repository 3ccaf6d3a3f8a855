import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { getCredentials } from "../config/credentials.ts";
import { DataFolder, prepareHome } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "../util/logger.ts";
import { connect } from "./connect.ts";

/** What was found of one part. An `error` is thrown by what the part does, so it says what to do. */
export type Finding = { part: string; detail: string } | { part: string; error: unknown };

const roomyBytes = 2 * 1024 ** 3;

/** Tries each part that a run needs; one that fails stops no other. Costs a request or two. */
export async function diagnose(settings: Settings, logger: Logger, signal: AbortSignal): Promise<Finding[]> {
  const parts: [string, () => Promise<string> | string][] = [
    ["Node", () => process.version],
    ["data folder", () => checkDataFolder(settings)],
    ["user folder", () => checkHome(settings)],
    [
      "credentials",
      () => `client ${getCredentials(settings).clientId}, from ${getCredentials(settings).origin}`,
    ],
    ["service", () => checkService(settings, logger, signal)],
  ];
  const findings: Finding[] = [];
  for (const [part, check] of parts) {
    try {
      findings.push({ part, detail: await check() });
    } catch (error) {
      signal.throwIfAborted();
      findings.push({ part, error });
    }
  }
  return findings;
}

async function checkDataFolder(settings: Settings): Promise<string> {
  const { root } = new DataFolder(settings.get("VENUE_DATA_DIR")).prepare();
  const { bavail, bsize } = await statfs(root);
  const free = bavail * bsize;
  return `${root} is writable, ${(free / 1024 ** 3).toFixed(1)} GiB free${free < roomyBytes ? ": a whole history may not fit" : ""}`;
}

function checkHome(settings: Settings): string {
  const home = prepareHome(settings.get("VENUE_HOME"));
  const isOpen = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  const open = [home, join(home, "credentials.json"), join(home, "client.db")].filter(isOpen);
  return open.length === 0
    ? `${home} is this user's alone`
    : `others can read ${open.join(", ")}: run chmod go-rwx on it`;
}

/** One listing shows that the address, the credentials and the groups are right. */
async function checkService(settings: Settings, logger: Logger, signal: AbortSignal): Promise<string> {
  const [groupId] = settings.get("VENUE_GROUP_IDS");
  const client = connect(settings, logger);
  try {
    let devices = 0;
    for await (const _ of client.devices.status({ groupId: groupId as number, signal })) devices += 1;
    return `answers; group ${groupId} has ${devices} devices`;
  } finally {
    await client.close();
  }
}
