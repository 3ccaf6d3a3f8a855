import { escapeHtml } from "../../util/text/escaping.ts";

/**
 * Minimum length of the pieces into which a long secret is split. A pattern for twice this length may exceed
 * the regular expression engine's limit.
 */
const pieceLength = 256;

/** The secrets in use, which are removed from text that comes from elsewhere. */
export class Secrets {
  /** One pattern per secret, or per piece of a long secret. It matches every encoding. */
  readonly #patterns = new Map<string, RegExp>();

  add(secret: string): void {
    for (const piece of splitIntoPieces(Array.from(secret.replace(/\\+/g, "\\")))) {
      this.#patterns.set(piece.join(""), new RegExp(piece.map(createEncodedPattern).join(""), "g"));
    }
  }

  occurIn(text: string): boolean {
    return [...this.#patterns.values()].some((pattern) => text.search(pattern) >= 0);
  }

  redact(text: string): string {
    let redacted = text;
    // Replaces the longest first, because one secret may contain another.
    for (const [, pattern] of [...this.#patterns].sort(([a], [b]) => b.length - a.length)) {
      redacted = redacted.replace(pattern, "[hidden]");
    }
    return redacted
      .replace(/(\[hidden\]){2,}/g, "[hidden]")
      .replace(/\bBearer\s+[^\s"',;]+/gi, "Bearer [hidden]");
  }
}

/** Splits a long secret into pieces, each long enough not to match unrelated text. */
function splitIntoPieces(characters: readonly string[]): string[][] {
  const size = Math.ceil(characters.length / Math.max(1, Math.floor(characters.length / pieceLength)));
  const pieces: string[][] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size));
  return pieces;
}

/** Matches one or more backslashes, because each level of escaping doubles them. */
const backslashes = "(?:\\\\|%(?:25)*5[cC]|&#0*92;|&#[xX]0*5[cC];)+";

/**
 * Returns a pattern for a character, plain or encoded in JSON, a URL or HTML, possibly twice. The
 * alternatives never overlap, because otherwise near matches would take exponential time.
 */
function createEncodedPattern(character: string, index: number, characters: readonly string[]): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  if (character === "\\") return backslashes;
  // If the previous character is a backslash, its pattern also matches the backslashes that escape this one.
  const isRow = characters[index - 1] === "\\";
  const [escapes, maybeEscapes] = isRow ? ["", ""] : ["\\\\{1,3}", "\\\\{0,3}"];
  const units = character.split("").map((unit) => unit.charCodeAt(0));
  const code = character.codePointAt(0) ?? 0;
  const [, letter] = /^\\([a-z])$/.exec(JSON.stringify(character).slice(1, -1)) ?? [];
  const name = escapeHtml(character);
  const encodings = [
    `${maybeEscapes}${buildEscapeExpression(character)}`,
    units.map((unit, at) => `${at === 0 ? escapes : "\\\\{1,3}"}u${createHexPattern(unit, 4)}`).join(""),
    // An unpaired surrogate can't be encoded; URLs contain U+FFFD instead.
    [...Buffer.from(character)].map((byte) => `%(?:25)*${createHexPattern(byte, 2)}`).join(""),
    `&#0*${code};`,
    `&#[xX]0*${createHexPattern(code, 1)};`,
    ...(letter === undefined ? [] : [`${escapes}${letter}`]),
    ...(name === character || name.startsWith("&#") ? [] : [name]),
    ...(character === " " ? ["\\+"] : []),
  ];
  return `(?:${encodings.join("|")})`;
}

function buildEscapeExpression(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns a pattern for hexadecimal digits in either case. */
function createHexPattern(number: number, length: number): string {
  const digits = number.toString(16).padStart(length, "0");
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
