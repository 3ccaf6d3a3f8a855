import { createHash, timingSafeEqual } from "node:crypto";
import { Refusal } from "../refusal.ts";

/** Wrong tokens from one address before it has to wait. */
const freeFailures = 5;
const firstPauseMs = 1_000;
const longestPauseMs = 300_000;
/** Addresses that are remembered; the oldest is forgotten. */
const mostAddresses = 10_000;

interface Failures {
  count: number;
  /** Of `monotonicMs`. */
  pausedUntilMs: number;
}

/**
 * Lets in who knows the token, by `Authorization: Bearer TOKEN`, or as the password of the name and password that a browser
 * asks for. After five wrong ones, an address waits, each time twice as long, even with the right one.
 */
export class TokenGate {
  readonly #expected: SecretDigest;
  readonly #failures = new Map<string, Failures>();
  readonly #monotonicMs: () => number;

  constructor(token: string, monotonicMs: () => number) {
    this.#expected = secretDigest(token);
    this.#monotonicMs = monotonicMs;
  }

  /** @throws {Refusal} 401, or 429 while the address has to wait */
  check(authorization: string | undefined, address: string): void {
    const known = this.#failures.get(address);
    const waitMs = (known?.pausedUntilMs ?? 0) - this.#monotonicMs();
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new Refusal(429, `Too many wrong tokens. Try again in ${seconds} s.`, {
        "Retry-After": String(seconds),
      });
    }
    const given = tokenOf(authorization);
    if (given !== undefined && isSecret(given, this.#expected)) {
      this.#failures.delete(address);
      return;
    }
    // A browser's first request bears none: that is no guess.
    if (given !== undefined) this.#remember(address, (known?.count ?? 0) + 1);
    throw new Refusal(401, "Wrong or missing token. Give the token as the password; any user name will do.", {
      "WWW-Authenticate": 'Basic realm="venue-analytics", charset="UTF-8"',
    });
  }

  #remember(address: string, count: number): void {
    const excess = count - freeFailures;
    const pauseMs = excess < 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** excess);
    this.#failures.delete(address);
    this.#failures.set(address, { count, pausedUntilMs: this.#monotonicMs() + pauseMs });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > mostAddresses && oldest !== undefined) this.#failures.delete(oldest);
  }
}

function tokenOf(authorization = ""): string | undefined {
  const [, scheme = "", value = ""] = /^(\w+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return undefined;
  const text = Buffer.from(value, "base64").toString();
  return text.includes(":") ? text.slice(text.indexOf(":") + 1) : undefined;
}

export type SecretDigest = Buffer;

export function secretDigest(text: string): SecretDigest {
  return createHash("sha256").update(text).digest();
}

/** Takes equally long for every wrong secret: only digests are compared. */
export function isSecret(given: string, expected: SecretDigest): boolean {
  return timingSafeEqual(secretDigest(given), expected);
}
