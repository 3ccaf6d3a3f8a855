import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { ConfigError } from "./config-error.ts";
import { credentialsPath } from "./credentials-file.ts";
import type { Settings } from "./settings.ts";

/** An API client's identity. The secret shows itself in no log, error or dump. */
export class Credentials {
  readonly clientId: string;
  /** Where the secret came from, for `venue doctor`. */
  readonly origin: string;
  readonly #clientSecret: string;

  constructor(clientId: string, clientSecret: string, origin: string) {
    this.clientId = clientId;
    this.origin = origin;
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
 * The API client's credentials: from `VENUE_CLIENT_ID` with `VENUE_CLIENT_SECRET` or `VENUE_CLIENT_SECRET_FILE`,
 * else from `credentials.json` in `VENUE_HOME`.
 * @throws {ConfigError} when there are none, or they can't be read
 */
export function getCredentials(settings: Settings): Credentials {
  const clientId = settings.find("VENUE_CLIENT_ID");
  const secret = settings.find("VENUE_CLIENT_SECRET");
  const secretFile = settings.find("VENUE_CLIENT_SECRET_FILE");
  if (secret !== undefined)
    return new Credentials(settings.get("VENUE_CLIENT_ID"), secret, "VENUE_CLIENT_SECRET");
  if (secretFile !== undefined) {
    return new Credentials(settings.get("VENUE_CLIENT_ID"), readSecretFile(secretFile), secretFile);
  }
  return readCredentialsFile(credentialsPath(settings.get("VENUE_HOME")), clientId);
}

function readSecretFile(path: string): string {
  const secret = read("VENUE_CLIENT_SECRET_FILE", path).trim();
  if (secret === "")
    throw new ConfigError("VENUE_CLIENT_SECRET_FILE", `${path} is empty; it should hold the client secret.`);
  return secret;
}

function readCredentialsFile(path: string, clientId: string | undefined): Credentials {
  const text = read("VENUE_CLIENT_ID", path);
  const { client_id, client_secret } = parseObject(text);
  if (typeof client_id !== "string" || typeof client_secret !== "string" || !client_id || !client_secret) {
    throw new ConfigError(
      "VENUE_CLIENT_ID",
      `${path} should be a JSON object with the texts client_id and client_secret.`,
    );
  }
  if (clientId !== undefined && clientId !== client_id) {
    throw new ConfigError(
      "VENUE_CLIENT_ID",
      `VENUE_CLIENT_ID is ${JSON.stringify(clientId)}, but ${path} holds the secret of ${JSON.stringify(client_id)}. ` +
        "Set VENUE_CLIENT_SECRET or VENUE_CLIENT_SECRET_FILE for this client, or VENUE_HOME to a folder of its own.",
    );
  }
  return new Credentials(client_id, client_secret, path);
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    // The parser's message quotes the text, which may hold the secret.
    return {};
  }
}

function read(variable: "VENUE_CLIENT_ID" | "VENUE_CLIENT_SECRET_FILE", path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing && variable === "VENUE_CLIENT_ID") {
      throw new ConfigError(
        variable,
        "There are no credentials: set VENUE_CLIENT_ID and VENUE_CLIENT_SECRET (or VENUE_CLIENT_SECRET_FILE), or run " +
          `\`venue login\` with the operator's one-time code, which puts them into ${path}.`,
        { cause },
      );
    }
    throw new ConfigError(variable, `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}
