import { existsSync, readFileSync } from "node:fs";
import { inspect } from "node:util";
import { getCredentialsPath } from "./credentials-file.ts";
import { serviceUrl } from "./parsers.ts";
import { ConfigError, type Settings } from "./settings.ts";

/** An API client's id and secret. The secret never appears in a log, an error or a dump. */
class Credentials {
  readonly clientId: string;
  /** Source of the secret, for `venue doctor`. */
  readonly origin: string;
  /** The credentials file, if it does not contain the base URL, like files from version 0.2.0. */
  readonly unboundFile: string | undefined;
  readonly #clientSecret: string;

  constructor(clientId: string, clientSecret: string, origin: string, unboundFile?: string) {
    this.clientId = clientId;
    this.origin = origin;
    this.unboundFile = unboundFile;
    this.#clientSecret = clientSecret;
  }

  revealSecret(): string {
    return this.#clientSecret;
  }

  toJSON(): object {
    return { clientId: this.clientId, clientSecret: "[hidden]" };
  }

  [inspect.custom](): string {
    return `Credentials(${this.clientId})`;
  }
}

/**
 * Returns the API client's credentials. Uses `VENUE_CLIENT_ID` with `VENUE_CLIENT_SECRET` or
 * `VENUE_CLIENT_SECRET_FILE`. Otherwise, uses `credentials.json` in `VENUE_HOME`, which belongs to one base
 * URL.
 * @throws {ConfigError} if they are missing, unreadable, or belong to another base URL
 */
export function getCredentials(settings: Settings): Credentials {
  const secret = settings.find("VENUE_CLIENT_SECRET");
  const file = settings.find("VENUE_CLIENT_SECRET_FILE");
  if (secret !== undefined)
    return new Credentials(settings.get("VENUE_CLIENT_ID"), secret, "VENUE_CLIENT_SECRET");
  if (file !== undefined) {
    const stored = readSecretFile("VENUE_CLIENT_SECRET_FILE", file);
    return new Credentials(settings.get("VENUE_CLIENT_ID"), stored, file);
  }
  return readCredentialsFile(getCredentialsPath(settings.get("VENUE_HOME")), settings);
}

function readCredentialsFile(path: string, settings: Settings): Credentials {
  const { client_id, client_secret, base_url } = parseObject(readCredentials(path));
  const clientId = settings.find("VENUE_CLIENT_ID");
  const baseUrl = settings.find("VENUE_BASE_URL");
  if (typeof client_id !== "string" || typeof client_secret !== "string" || !client_id || !client_secret) {
    throw new ConfigError(
      "VENUE_CLIENT_ID",
      `${path} must be a JSON object with the strings client_id and client_secret.`,
    );
  }
  if (clientId !== undefined && clientId !== client_id) {
    throw new ConfigError(
      "VENUE_CLIENT_ID",
      `VENUE_CLIENT_ID is ${JSON.stringify(clientId)}, but ${path} holds the secret of ${JSON.stringify(client_id)}. ` +
        "Set VENUE_CLIENT_SECRET or VENUE_CLIENT_SECRET_FILE for this client, or VENUE_HOME to a folder of its own.",
    );
  }
  if (base_url === undefined) return new Credentials(client_id, client_secret, path, path);
  if (baseUrl !== undefined && serviceUrl.parse(`${base_url}`)?.href !== baseUrl.href) {
    throw new ConfigError(
      "VENUE_BASE_URL",
      `VENUE_BASE_URL is ${baseUrl.href}, but ${path} holds the secret for ${JSON.stringify(base_url)} and was not sent. ` +
        "To use another service, set VENUE_HOME to a folder of its own and run `venue login`. If the service has moved, " +
        `change base_url in ${path}.`,
    );
  }
  return new Credentials(client_id, client_secret, path);
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    // The parser's message quotes the text, which may contain the secret.
    return {};
  }
}

function readCredentials(path: string): string {
  if (existsSync(path)) return readTextFile("VENUE_CLIENT_ID", path);
  throw new ConfigError(
    "VENUE_CLIENT_ID",
    "There are no credentials: set VENUE_CLIENT_ID and VENUE_CLIENT_SECRET (or VENUE_CLIENT_SECRET_FILE), or run " +
      `\`venue login\` with the operator's one-time code, which stores them in ${path}.`,
  );
}

/** @throws {ConfigError} if the file can't be read, or does not contain exactly one line */
export function readSecretFile(variable: string, path: string): string {
  const secret = readTextFile(variable, path).trim();
  if (secret === "")
    throw new ConfigError(variable, `${path} is empty. Write the secret for ${variable} into it.`);
  // The .env file of an unfamiliar folder may point to other content, such as a private key.
  if (/[\r\n]|^\{/.test(secret))
    throw new ConfigError(
      variable,
      `${path} holds more than a secret. ${variable} takes a file with only the secret, on one line.`,
    );
  return secret;
}

/** @throws {ConfigError} if the file named by the variable can't be read */
export function readTextFile(variable: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ConfigError(variable, `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}
