import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { syncToDisk } from "../util/files/durable-files.ts";
import { makeFolder } from "../util/files/folders.ts";
import { getErrorMessage } from "../util/venue-error.ts";
import { ConfigError } from "./settings.ts";

/** Returns the private key that signs proofs. Creates it on first use. @throws {ConfigError} */
export function obtainProofKey(file: string): KeyObject {
  const found = findProofKey(file);
  if (found) return found;
  try {
    createKeyFile(file);
  } catch (cause) {
    throw new ConfigError(
      "VENUE_DATA_DIR",
      `The key that signs proofs can't be stored in ${file}: ${getErrorMessage(cause)}. Make the folder writable.`,
      { cause },
    );
  }
  return findProofKey(file) as KeyObject;
}

/** Returns `undefined` if no key exists yet. @throws {ConfigError} if the file is unusable */
export function findProofKey(file: string): KeyObject | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType !== "ed25519") throw new Error("it is not an Ed25519 key");
    return key;
  } catch (cause) {
    throw new ConfigError(
      "VENUE_DATA_DIR",
      `${file} can't be used as the key that signs proofs: ${getErrorMessage(cause)}. Restore it from a backup; without it, the next proof makes a new key.`,
      { cause },
    );
  }
}

/** Creates a key file atomically. If several processes do so at once, the first one's file is kept. */
function createKeyFile(file: string): void {
  makeFolder(dirname(file));
  const temporary = `${file}.${randomUUID()}.part`;
  const { privateKey } = generateKeyPairSync("ed25519");
  try {
    writeFileSync(temporary, privateKey.export({ type: "pkcs8", format: "pem" }), {
      mode: 0o600,
      flag: "wx",
    });
    syncToDisk(temporary);
    linkSync(temporary, file);
    syncToDisk(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(file)) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
