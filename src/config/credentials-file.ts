import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config-error.ts";

const name = "credentials.json";
/** More than the longest secret takes. */
const reservedBytes = 16 * 1024;

export function credentialsPath(home: string): string {
  return join(home, name);
}

/** A place on disk for a secret that will come. */
export interface ReservedFile {
  path: string;
  /** Stores the secret: when this returns, it survives a power failure. */
  store(secret: string): void;
  /** Stores an answer that may hold the secret, as carefully, beside the credentials. @returns its path */
  storeAnswer(text: string): string;
  /** Gives back what was not used. */
  release(): void;
}

/**
 * Makes sure that a secret can be stored before it is fetched, because it can be fetched once: that nothing stands in
 * its place that is still of use, that the folder is writable, and that there is room.
 * @throws {ConfigError} when one of these does not hold
 */
export function reserveCredentialsFile(
  home: string,
  clientId: string,
  { isReplacing }: { isReplacing: boolean },
): ReservedFile {
  const path = credentialsPath(home);
  if (!isReplacing) checkReplaceable(path, clientId);
  const temporary = `${path}.${process.pid}.part`;
  refuseSecretIn(temporary);
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
    // Also where the program is ended at once.
    process.once("exit", release);
    writeSync(file, " ".repeat(reservedBytes), 0);
    fsyncSync(file);
  } catch (cause) {
    release();
    throw new ConfigError(
      "VENUE_HOME",
      `The secret could not be stored in ${path}: ${(cause as Error).message}. Make the folder writable, or set ` +
        "VENUE_HOME to another one. The one-time code was not used.",
      { cause },
    );
  }
  const put = (text: string, target: string) => {
    if (file === undefined) throw new TypeError("the place was given back");
    const open = file;
    // From here on the temporary file is not to be taken away: what it holds can't be had again.
    file = undefined;
    process.off("exit", release);
    try {
      // Without a pause between, so that nothing comes between: no signal is heard before the last line.
      ftruncateSync(open, writeSync(open, text, 0));
      fsyncSync(open);
      renameSync(temporary, target);
      closeSync(open);
      syncFolder(home);
    } catch (cause) {
      throw new ConfigError(
        "VENUE_HOME",
        `The secret came, but ${target} could not be written: ${(cause as Error).message}. See whether ${temporary} ` +
          "holds it, and rename that; else ask the operator for a new one-time link.",
        { cause },
      );
    }
  };
  return {
    path,
    store: (secret) =>
      put(`${JSON.stringify({ client_id: clientId, client_secret: secret }, undefined, 2)}\n`, path),
    storeAnswer: (text) => {
      const target = join(home, `secret-answer.${Date.now()}.txt`);
      put(text, target);
      return target;
    },
    release,
  };
}

/** Other secrets can't be fetched again, so they are not lightly overwritten; those of the same client are renewed. */
function checkReplaceable(path: string, clientId: string): void {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return;
    throw new ConfigError("VENUE_HOME", `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
  const holder = clientIdIn(text);
  if (holder === clientId) return;
  throw new ConfigError(
    "VENUE_HOME",
    `${path} holds ${holder === undefined ? "something else than credentials" : `the secret of the API client ${JSON.stringify(holder)}`}` +
      `, which can't be fetched again. Set VENUE_HOME to another folder for ${JSON.stringify(clientId)}, or give --replace to ` +
      "overwrite it. The one-time code was not used.",
  );
}

/** In a container every login may be process 1: what one that was killed left has the name that this one's would have. */
function refuseSecretIn(part: string): void {
  let text: string;
  try {
    text = readFileSync(part, "utf8");
  } catch {
    // Nothing is there, or nothing that could be taken for a secret.
    return;
  }
  if (text.trim() === "") return;
  throw new ConfigError(
    "VENUE_HOME",
    `${part} may hold a secret that a killed login left, and that can't be fetched again. Run \`venue doctor --repair\`: it ` +
      "stores the secret, or says what to do. The one-time code was not used.",
  );
}

function clientIdIn(text: string): string | undefined {
  try {
    const { client_id } = Object(JSON.parse(text)) as { client_id?: unknown };
    return typeof client_id === "string" ? client_id : undefined;
  } catch {
    return undefined;
  }
}

/** A new name in a folder is on disk once the folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
