import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Refusal } from "../refusal.ts";
import { isSecret, type SecretDigest, secretDigest } from "./token-gate.ts";

/**
 * Admits the one browser that opens the printed link first, because every user of this machine reaches loopback. The link
 * is spent by its first use, which sets a cookie that is valid until this process ends.
 */
export class LinkGate {
  /** Path and query of the link. */
  readonly link: string;
  readonly #token: SecretDigest;
  readonly #session = newSecret();
  readonly #sessionDigest = secretDigest(this.#session);
  readonly #port: () => number;
  readonly #isTls: boolean;
  #isSpent = false;

  /** @param port known once the server listens. Browsers send a host's cookies to all its ports, so the name has it */
  constructor({ port, isTls }: { port: () => number; isTls: boolean }) {
    const token = newSecret();
    this.link = `/?token=${token}`;
    this.#token = secretDigest(token);
    this.#port = port;
    this.#isTls = isTls;
  }

  /**
   * @returns the response to the link, which leads to the page; `undefined` to a request with the cookie
   * @throws {Refusal} 403 otherwise
   */
  check({ method, url = "", headers }: IncomingMessage): Response | undefined {
    const isKnown = this.#sessionsIn(headers.cookie).some((given) => isSecret(given, this.#sessionDigest));
    const [, given] = /^\/\?token=([\w-]+)$/.exec(url) ?? [];
    // A HEAD request, as programs that check links send, must not spend the link.
    if (given === undefined || method !== "GET") {
      if (isKnown) return undefined;
      throw new Refusal(403, `${howToOpen} ${forPrograms}`);
    }
    if (isKnown) return openPages({});
    if (this.#isSpent || !isSecret(given, this.#token))
      throw new Refusal(403, `This link has been used, or belongs to a server that has ended. ${howToOpen}`);
    this.#isSpent = true;
    const attributes = `Path=/; HttpOnly; SameSite=Lax${this.#isTls ? "; Secure" : ""}`;
    return openPages({ "Set-Cookie": `${this.#cookieName}=${this.#session}; ${attributes}` });
  }

  get #cookieName(): string {
    return `venue-${this.#port()}`;
  }

  #sessionsIn(cookies = ""): string[] {
    const start = `${this.#cookieName}=`;
    return cookies
      .split(/; */)
      .filter((cookie) => cookie.startsWith(start))
      .map((cookie) => cookie.slice(start.length));
  }
}

const howToOpen =
  "The link that venue serve printed in its terminal opens these pages, once and in one browser. For another browser, " +
  "start venue serve again.";
const forPrograms = "For programs, start it with --token-file or --no-token.";

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Leads to the address without the token, which then stays out of the browser's history. */
function openPages(headers: Record<string, string>): Response {
  return new Response(null, { status: 303, headers: { Location: "/", ...headers } });
}
