import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import type { Share } from "../../state/data/shares.ts";
import { Refusal } from "../refusal.ts";

/** Wrong tokens that a client address may send before it must wait. */
const allowedFailures = 5;
const initialPauseMs = 1_000;
const maxPauseMs = 300_000;
/** Time after an address's last wrong token at which its count is reset. */
const failuresTtlMs = 3_600_000;
const maxAddresses = 10_000;

interface Failures {
  count: number;
  /** On the clock of `monotonicMs`. */
  pausedUntilMs: number;
}

/** Finds a customer token by its SHA-256 in hexadecimal; `undefined` if it is unknown or has expired. */
export type FindShare = (tokenSha256: string) => Share | undefined;

/**
 * Accepts requests with the operator's or a customer token, as `Authorization: Bearer TOKEN` or as the password that a
 * browser prompts for. After five wrong tokens from a client address, it answers the next ones with 429 for a while,
 * which doubles each time. Correct tokens are still accepted, because everyone behind a proxy has the same address.
 * They do not reset the count, because otherwise the holder of a customer token could guess the operator's.
 */
export class TokenGate {
  readonly #expected: SecretDigest;
  readonly #failures: LRUCache<string, Failures>;
  readonly #monotonicMs: () => number;
  readonly #findShare: FindShare;

  constructor(token: string, monotonicMs: () => number, findShare: FindShare = () => undefined) {
    this.#expected = digestSecret(token);
    this.#failures = new LRUCache({
      max: maxAddresses,
      ttl: failuresTtlMs,
      ttlResolution: 0,
      perf: { now: monotonicMs },
    });
    this.#monotonicMs = monotonicMs;
    this.#findShare = findShare;
  }

  /**
   * @returns the share, if the request has a customer token
   * @throws {Refusal} 401, or 429 after too many wrong tokens
   */
  check(authorization: string | undefined, address: string): Share | undefined {
    const given = parseToken(authorization);
    if (given !== undefined) {
      if (isSecret(given, this.#expected)) return undefined;
      const share = this.#findShare(digestSecret(given).toString("hex"));
      if (share !== undefined) return share;
      // A browser's first request has no token and is not a wrong guess.
      this.#countFailure(address);
    }
    throw new Refusal(
      401,
      "Wrong or missing token. Enter the token as the password; the user name can be anything.",
      {
        "WWW-Authenticate": 'Basic realm="venue-analytics", charset="UTF-8"',
      },
    );
  }

  /** @throws {Refusal} 429 while the address must wait */
  #countFailure(address: string): void {
    const { count, pausedUntilMs } = this.#failures.get(address) ?? { count: 0, pausedUntilMs: 0 };
    const waitMs = pausedUntilMs - this.#monotonicMs();
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new Refusal(429, `Too many wrong tokens. Try again in ${seconds} s.`, {
        "Retry-After": String(seconds),
      });
    }
    const excess = count + 1 - allowedFailures;
    const pauseMs = excess < 0 ? 0 : Math.min(maxPauseMs, initialPauseMs * 2 ** excess);
    this.#failures.set(address, { count: count + 1, pausedUntilMs: this.#monotonicMs() + pauseMs });
  }
}

function parseToken(authorization = ""): string | undefined {
  const [, scheme = "", value = ""] = /^(\w+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return undefined;
  const text = Buffer.from(value, "base64").toString();
  return text.includes(":") ? text.slice(text.indexOf(":") + 1) : undefined;
}

type SecretDigest = Buffer;

function digestSecret(text: string): SecretDigest {
  return createHash("sha256").update(text).digest();
}

/** Compares secrets in constant time. Only digests are compared, so even the length has no effect. */
function isSecret(given: string, expected: SecretDigest): boolean {
  return timingSafeEqual(digestSecret(given), expected);
}

/**
 * Accepts only the first browser that opens the printed link, because every user of this machine can reach
 * loopback. The first use invalidates the link and sets a cookie that is valid until this process ends.
 */
export class LinkGate {
  /** Path and query of the link. */
  readonly link: string;
  readonly #token: SecretDigest;
  readonly #session = createSecret();
  readonly #sessionDigest = digestSecret(this.#session);
  readonly #port: () => number;
  readonly #isTls: boolean;
  #isUsed = false;

  /**
   * @param port known once the server listens. The cookie's name contains it, because browsers send cookies to all
   * ports of a host
   */
  constructor({ port, isTls }: { port: () => number; isTls: boolean }) {
    const token = createSecret();
    this.link = `/?token=${token}`;
    this.#token = digestSecret(token);
    this.#port = port;
    this.#isTls = isTls;
  }

  /**
   * @returns a redirect to the first page for the link; `undefined` for a request with the cookie
   * @throws {Refusal} 403 otherwise
   */
  check({ method, url = "", headers }: IncomingMessage): Response | undefined {
    const isKnown = this.#readSessions(headers.cookie).some((given) => isSecret(given, this.#sessionDigest));
    const [, given] = /^\/\?token=([\w-]+)$/.exec(url) ?? [];
    // A HEAD request, such as from link checkers, must not use up the link.
    if (given === undefined || method !== "GET") {
      if (isKnown) return undefined;
      throw new Refusal(403, `${openingHint} ${programsHint}`);
    }
    if (isKnown) return redirectToPages({});
    if (this.#isUsed || !isSecret(given, this.#token))
      throw new Refusal(
        403,
        `This link has been used, or belongs to a server that has stopped. ${openingHint}`,
      );
    this.#isUsed = true;
    const attributes = `Path=/; HttpOnly; SameSite=Lax${this.#isTls ? "; Secure" : ""}`;
    return redirectToPages({ "Set-Cookie": `${this.#cookieName}=${this.#session}; ${attributes}` });
  }

  get #cookieName(): string {
    return `venue-${this.#port()}`;
  }

  #readSessions(cookies = ""): string[] {
    const start = `${this.#cookieName}=`;
    return cookies
      .split(/; */)
      .filter((cookie) => cookie.startsWith(start))
      .map((cookie) => cookie.slice(start.length));
  }
}

const openingHint =
  "Open these pages with the link that venue serve printed in its terminal. It works once, in one browser; for another, " +
  "restart venue serve.";
const programsHint = "For programs, use --token-file or --no-token.";

function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Redirects to the address without the token, which keeps the token out of the browser's history. */
function redirectToPages(headers: Record<string, string>): Response {
  return new Response(null, { status: 303, headers: { Location: "/", ...headers } });
}
