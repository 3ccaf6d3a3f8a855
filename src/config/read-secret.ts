import { readFileSync } from "node:fs";
import { ConfigError } from "./config-error.ts";
import type { Settings } from "./settings.ts";

/** Secrets that have a variable of their own, and one that names a file. */
type SecretName = "VENUE_CLIENT_SECRET" | "VENUE_TRINO_PASSWORD" | "VENUE_TRINO_TOKEN" | "VENUE_NESSIE_TOKEN";

/**
 * A secret from its variable, else from the file that `…_FILE` names; `undefined` where neither is set.
 * @throws {ConfigError} when the file can't be read, or does not hold exactly one line
 */
export function findSecret(settings: Settings, name: SecretName): string | undefined {
  const file = settings.find(`${name}_FILE`);
  return settings.find(name) ?? (file === undefined ? undefined : readSecretFile(`${name}_FILE`, file));
}

function readSecretFile(variable: string, path: string): string {
  const secret = readTextFile(variable, path).trim();
  if (secret === "")
    throw new ConfigError(variable, `${path} is empty; it should hold what ${variable} is to give.`);
  // In an unfamiliar folder, .env may name a file that holds something else, such as a private key.
  if (/[\r\n]|^\{/.test(secret))
    throw new ConfigError(
      variable,
      `${path} holds more than a secret. ${variable} takes a file with the secret alone, on one line.`,
    );
  return secret;
}

/** @throws {ConfigError} when the file that a variable names can't be read */
export function readTextFile(variable: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ConfigError(variable, `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}
