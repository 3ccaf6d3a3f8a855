import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { serveOptionError } from "../refusal.ts";
import { isLoopback } from "./allowed-hosts.ts";

/** Minimum length of a token; shorter ones can be guessed. */
const minTokenLength = 16;

/** Access options as typed; file paths are absolute. */
export interface AccessOptions {
  host: string;
  tokenFile?: string | undefined;
  /** Lets every user of this machine read. @default false: only with the token or the link */
  withoutToken?: boolean;
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
}

export interface Access {
  token?: string;
  tls?: { cert: string; key: string };
}

/**
 * Reads the token and TLS files. If other machines can reach the server, pages need a token, and TLS to keep
 * the token secret.
 * @throws {VenueError} `SERVE_OPTION`
 */
export function readAccess({ host, tokenFile, withoutToken, tlsCert, tlsKey }: AccessOptions): Access {
  const isProtected = tokenFile !== undefined && tlsCert !== undefined && tlsKey !== undefined;
  if (!isLoopback(host) && !isProtected) {
    throw serveOptionError(
      `--host ${host} is reachable from other machines, so it needs --token-file, --tls-cert and --tls-key. Omit --host to serve this machine only.`,
    );
  }
  if (withoutToken && tokenFile !== undefined)
    throw serveOptionError("--no-token and --token-file can't be combined. Remove one of them.");
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw serveOptionError("--tls-cert and --tls-key must be used together. Give both, or neither.");
  }
  const token = tokenFile === undefined ? undefined : readText("--token-file", tokenFile).trim();
  if (token !== undefined && !new RegExp(`^[\\x21-\\x7e]{${minTokenLength},}$`).test(token)) {
    throw serveOptionError(
      `--token-file: ${tokenFile} must contain one line of at least ${minTokenLength} letters, digits or symbols, without spaces. Create one with: openssl rand -hex 32`,
    );
  }
  return {
    ...(token !== undefined && { token }),
    ...(tlsCert !== undefined && tlsKey !== undefined && { tls: readTls(tlsCert, tlsKey) }),
  };
}

function readTls(certFile: string, keyFile: string): { cert: string; key: string } {
  const [cert, key] = [readText("--tls-cert", certFile), readText("--tls-key", keyFile)];
  try {
    new X509Certificate(cert);
  } catch (cause) {
    throw serveOptionError(
      `--tls-cert: ${certFile} contains no PEM certificate (${(cause as Error).message}).`,
      { cause },
    );
  }
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw serveOptionError(
      `--tls-key: ${keyFile} is not the key of ${certFile} in PEM without a passphrase (${(cause as Error).message}).`,
      { cause },
    );
  }
  return { cert, key };
}

function readText(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw serveOptionError(`${option}: ${file} can't be read (${(cause as Error).message}).`, { cause });
  }
}
