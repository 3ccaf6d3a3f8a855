import { escapeHtml } from "../../util/text/escaping.ts";

/** A pattern of more characters than twice these may be longer than the engine takes. */
const pieceLength = 256;

/** What must never be shown: knows the secrets in use, and blanks them in texts that come from elsewhere. */
export class Secrets {
  /** Any writing of each secret, of a long one of each piece. */
  readonly #patterns = new Map<string, RegExp>();

  add(secret: string): void {
    for (const piece of piecesOf(Array.from(secret.replace(/\\+/g, "\\")))) {
      this.#patterns.set(piece.join(""), new RegExp(piece.map(anyWriting).join(""), "g"));
    }
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
    return redacted
      .replace(/(\[hidden\]){2,}/g, "[hidden]")
      .replace(/\bBearer\s+[^\s"',;]+/gi, "Bearer [hidden]");
  }
}

/** None of them is so short that it would be found everywhere. */
function piecesOf(characters: readonly string[]): string[][] {
  const size = Math.ceil(characters.length / Math.max(1, Math.floor(characters.length / pieceLength)));
  const pieces: string[][] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size));
  return pieces;
}

/** However many there are in a row: each way to escape doubles them. */
const backslashes = "(?:\\\\|%(?:25)*5[cC]|&#0*92;|&#[xX]0*5[cC];)+";

/**
 * A pattern for a character as it is, and as JSON, an address or a page may have it: programs that write these differ in what
 * they escape, and some texts are escaped twice. No text fits two of its parts: where a secret almost stands, each would be tried
 * with all others.
 */
function anyWriting(character: string, index: number, characters: readonly string[]): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  if (character === "\\") return backslashes;
  // Those that escape it are taken for some of a row before it.
  const isRow = characters[index - 1] === "\\";
  const [escapes, maybeEscapes] = isRow ? ["", ""] : ["\\\\{1,3}", "\\\\{0,3}"];
  const units = character.split("").map((unit) => unit.charCodeAt(0));
  const code = character.codePointAt(0) ?? 0;
  const [, letter] = /^\\([a-z])$/.exec(JSON.stringify(character).slice(1, -1)) ?? [];
  const name = escapeHtml(character);
  const writings = [
    `${maybeEscapes}${literal(character)}`,
    units.map((unit, at) => `${at === 0 ? escapes : "\\\\{1,3}"}u${hex(unit, 4)}`).join(""),
    // Half a character can't be encoded; in an address it stands as U+FFFD.
    [...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join(""),
    `&#0*${code};`,
    `&#[xX]0*${hex(code, 1)};`,
    ...(letter === undefined ? [] : [`${escapes}${letter}`]),
    ...(name === character || name.startsWith("&#") ? [] : [name]),
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
