import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../config/config-error.ts";
import { getCredentials } from "../config/credentials.ts";
import { DataFolder, prepareHome } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { variableNames } from "../config/variables.ts";
import type { Logger } from "../util/logger.ts";
import { connect } from "./connect.ts";

/** What was found of one part. An `error` is thrown by what the part does, so it says what to do. */
export type Finding = { part: string; detail: string } | { part: string; error: unknown };

const roomyBytes = 2 * 1024 ** 3;

/** Tries each part that a run needs; one that fails stops no other. Costs a request or two. */
export async function diagnose(settings: Settings, logger: Logger, signal: AbortSignal): Promise<Finding[]> {
  const parts: [string, () => Promise<string> | string][] = [
    ["settings", () => checkSettings(settings)],
    ["Node", () => process.version],
    ["data folder", () => checkDataFolder(settings)],
    ["user folder", () => checkHome(settings)],
    [
      "credentials",
      () => `client ${getCredentials(settings).clientId}, from ${getCredentials(settings).origin}`,
    ],
    ["service", () => checkService(settings, logger, signal)],
    ["status API", () => checkStatus(settings, signal)],
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

/** The first that is malformed; the others stand in the list of settings. */
function checkSettings(settings: Settings): string {
  const problems = variableNames.flatMap((name) => settings.findProblem(name) ?? []);
  if (problems[0]) throw problems[0];
  return "all well-formed";
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
  if (open.length > 0) {
    throw new ConfigError("VENUE_HOME", `Other users can read ${open.join(", ")}. Run chmod go-rwx on it.`);
  }
  return `${home} is this user's alone`;
}

async function checkStatus(settings: Settings, signal: AbortSignal): Promise<string> {
  const root = settings.find("VENUE_STATUS_URL");
  if (!root) return "not set: status steps are skipped";
  const url = `${root.href.replace(/\/$/, "")}/api/v1/status`;
  const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) }).catch(
    (cause) => {
      throw new ConfigError(
        "VENUE_STATUS_URL",
        `${url} can't be reached. Check VENUE_STATUS_URL and the network.`,
        { cause },
      );
    },
  );
  if (!answer.ok) {
    throw new ConfigError("VENUE_STATUS_URL", `${url} answers ${answer.status}. Check VENUE_STATUS_URL.`);
  }
  return "answers";
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
