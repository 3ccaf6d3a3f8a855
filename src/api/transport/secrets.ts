import { escapeHtml } from "../../util/text/escape-html.ts";

/** What must never be shown: knows the secrets in use, and blanks them in texts that come from elsewhere. */
export class Secrets {
  /** Any writing of each secret. */
  readonly #patterns = new Map<string, RegExp>();

  add(secret: string): void {
    if (secret === "" || this.#patterns.has(secret)) return;
    this.#patterns.set(secret, new RegExp(Array.from(secret, anyWriting).join(""), "g"));
  }

  occurIn(text: string): boolean {
    return [...this.#patterns.values()].some((pattern) => text.search(pattern) >= 0);
  }

  redact(text: string): string {
    let redacted = text;
    // The longest first: one may contain another.
    for (const [, pattern] of [...this.#patterns].sort(([a], [b]) => b.length - a.length)) {
      redacted = redacted.replace(pattern, "[hidden]");
    }
    return redacted.replace(/\bBearer\s+[^\s"',;]+/gi, "Bearer [hidden]");
  }
}

/**
 * A pattern for a character as it is, and as JSON, an address or a page may have it: all of these, and programs that write them
 * differ in what they escape. Some texts are escaped twice.
 */
function anyWriting(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const units = character.split("").map((unit) => unit.charCodeAt(0));
  const code = character.codePointAt(0) ?? 0;
  const writings = [
    `\\\\{0,3}${literal(character)}`,
    `\\\\{0,3}${literal(JSON.stringify(character).slice(1, -1))}`,
    units.map((unit) => `\\\\{1,3}u${hex(unit, 4)}`).join(""),
    // Half a character can't be encoded; in an address it stands as U+FFFD.
    [...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join(""),
    literal(escapeHtml(character)),
    `&#0*${code};`,
    `&#[xX]0*${hex(code, 1)};`,
    ...(character === " " ? ["\\+"] : []),
  ];
  return `(?:${writings.join("|")})`;
}

function literal(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Digits in either case. */
function hex(number: number, length: number): string {
  const digits = number.toString(16).padStart(length, "0");
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
