import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { renameDurably, syncToDisk, writeFully } from "../util/files/durable-files.ts";
import { resolveLinks } from "../util/files/folders.ts";
import { ConfigError } from "./settings.ts";

const name = "credentials.json";
/** Disk space reserved for a secret; larger than any secret. */
const reservedBytes = 16 * 1024;

export function getCredentialsPath(home: string): string {
  return join(home, name);
}

/** Adds the base URL to a credentials file from version 0.2.0, so that its secret is sent only there. */
export function bindCredentialsFile(path: string, baseUrl: URL): void {
  rewrite(resolveLinks(path), (content) =>
    toJson({ ...JSON.parse(content.toString()), base_url: baseUrl.href }),
  );
}

/** Replaces a file's content durably, unless another process has changed the file in the meantime. */
function rewrite(path: string, change: (content: Buffer) => Buffer | string): void {
  const content = readFileSync(path);
  const temporary = createTempPath(path);
  try {
    writeFileSync(temporary, change(content), { mode: 0o600 });
    syncToDisk(temporary);
    // A concurrent login may have stored a new secret, which must not be lost.
    if (readFileSync(path).equals(content)) renameDurably(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Returns a name for a temporary file. A leftover file with this name is removed by `venue doctor --repair`. */
function createTempPath(path: string): string {
  return `${path}.${process.pid}.unfinished`;
}

function toJson(credentials: object): string {
  return `${JSON.stringify(credentials, undefined, 2)}\n`;
}

/** Disk space reserved for a secret before it is fetched. */
export interface ReservedFile {
  path: string;
  /** Stores the secret durably. After this returns, the secret survives even a power failure. */
  store(secret: string): void;
  /**
   * Durably stores a response that may contain the secret, in a file next to the credentials.
   * @returns its path
   */
  storeAnswer(text: string): string;
  /** Removes the reserved file if it was not used. */
  release(): void;
}

/**
 * Checks that a secret can be stored before it is fetched, because it can be fetched only once. No other secret
 * may be overwritten, there must be enough disk space, and the file must be replaceable.
 * @throws {ConfigError} if the secret could not be stored
 */
export function reserveCredentialsFile(
  home: string,
  client: { clientId: string; baseUrl: URL },
  { isReplacing }: { isReplacing: boolean },
): ReservedFile {
  const path = getCredentialsPath(home);
  if (!isReplacing) assertReplaceable(path, client);
  const temporary = `${path}.${process.pid}.part`;
  assertNoSecret(temporary);
  let file: number | undefined;
  const release = () => {
    process.off("exit", release);
    if (file === undefined) return;
    closeSync(file);
    file = undefined;
    rmSync(temporary, { force: true });
  };
  try {
    rmSync(temporary, { force: true });
    file = openSync(temporary, "wx", 0o600);
    // Releases the file on `process.exit()` too.
    process.once("exit", release);
    writeFully(file, Buffer.alloc(reservedBytes, " "), 0);
    fsyncSync(file);
    tryRename(temporary, path);
  } catch (cause) {
    release();
    throw new ConfigError(
      "VENUE_HOME",
      `The secret could not be stored in ${path}: ${(cause as Error).message}. Make the file and its folder ` +
        "writable, or set VENUE_HOME to another folder. The one-time code was not used.",
      { cause },
    );
  }
  const moveIntoPlace = (text: string, target: string) => {
    if (file === undefined) throw new TypeError("the reserved file was released");
    const open = file;
    // From now on, the temporary file must not be removed, because its content can't be fetched again.
    file = undefined;
    process.off("exit", release);
    try {
      // These calls are synchronous, so that no signal handler runs before the file is in place.
      const content = Buffer.from(text);
      writeFully(open, content, 0);
      ftruncateSync(open, content.length);
      fsyncSync(open);
      renameSync(temporary, target);
      closeSync(open);
      syncFolder(home);
    } catch (cause) {
      throw new ConfigError(
        "VENUE_HOME",
        `The secret was received, but ${target} could not be written: ${(cause as Error).message}. Check whether ${temporary} ` +
          "holds it; if so, rename that file to the path above, otherwise ask the operator for a new one-time link.",
        { cause },
      );
    }
  };
  return {
    path,
    store: (secret) =>
      moveIntoPlace(
        toJson({
          client_id: client.clientId,
          client_secret: secret,
          base_url: client.baseUrl.href,
        }),
        path,
      ),
    storeAnswer: (text) => {
      const target = join(home, `secret-answer.${Date.now()}.txt`);
      moveIntoPlace(text, target);
      return target;
    },
    release,
  };
}

/**
 * Tests whether the secret can be stored: rewrites an existing file with the same content, or renames the
 * temporary file and back.
 */
function tryRename(temporary: string, path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isSymbolicLink()) {
    rewrite(path, (content) => content);
    return;
  }
  renameSync(temporary, createTempPath(path));
  renameDurably(createTempPath(path), temporary);
}

/** Rejects a file with another client's or service's secret, which can't be fetched again. */
function assertReplaceable(path: string, { clientId, baseUrl }: { clientId: string; baseUrl: URL }): void {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return;
    throw new ConfigError("VENUE_HOME", `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
  const holder = parseHolder(text);
  if (holder?.clientId === clientId && (holder.baseUrl ?? baseUrl.href) === baseUrl.href) return;
  throw new ConfigError(
    "VENUE_HOME",
    `${path} holds ${holder === undefined ? "something other than credentials" : describeHolder(holder)}` +
      `, which can't be fetched again. Set VENUE_HOME to another folder for ${JSON.stringify(clientId)}, or add --replace to ` +
      "overwrite it. The one-time code was not used.",
  );
}

function describeHolder({ clientId, baseUrl }: Holder): string {
  return `the secret of the API client ${JSON.stringify(clientId)}${baseUrl === undefined ? "" : ` at ${baseUrl}`}`;
}

/** Rejects a file of the same name with a leftover secret. In a container, every login may be process 1. */
function assertNoSecret(part: string): void {
  let text: string;
  try {
    text = readFileSync(part, "utf8");
  } catch {
    // A missing or unreadable file contains no secret to protect.
    return;
  }
  if (text.trim() === "") return;
  throw new ConfigError(
    "VENUE_HOME",
    `${part} may hold the secret of a killed login, which can't be fetched again. Run \`venue doctor --repair\`: it ` +
      "stores the secret or explains the next step. The one-time code was not used.",
  );
}

/** The owner of the secret in a credentials file; files of version 0.2.0 have no base URL. */
interface Holder {
  clientId: string;
  baseUrl?: string;
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { client_id, base_url } = Object(JSON.parse(text)) as { client_id?: unknown; base_url?: unknown };
    if (typeof client_id !== "string") return undefined;
    return { clientId: client_id, ...(base_url !== undefined && { baseUrl: `${base_url}` }) };
  } catch {
    return undefined;
  }
}

/** Syncs a folder, so that a new name in it survives a power failure. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
