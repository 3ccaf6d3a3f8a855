import { lineEnd, lineFeed, maxLineBytes } from "../lines/line-cursor.ts";

const [tab, carriageReturn, space, quote, comma, colon] = [0x09, 0x0d, 0x20, 0x22, 0x2c, 0x3a];
const [openBracket, backslash, closeBracket, openBrace, closeBrace] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d];

/**
 * Converts JSON to JSON Lines in constant memory: one line per array element, per element of `data` in a page returned
 * by the service, and per other value. Values are copied byte for byte, so that a load checks them like any other
 * line. Only line ends inside a value are replaced: with a space, or inside a string with a tab, which is just as
 * invalid there.
 */
export class JsonRecords {
  /** Container of the next value. */
  #within: "file" | "array" | "data" = "file";
  #isInValue = false;
  /** Number of brackets open in the value; 0 for a string, number or literal. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** True if the value is an object at the top level of the file, which may be a page. */
  #mayBePage = false;
  /** True while the rest of a page after its `data` is skipped. */
  #isDropped = false;
  /**
   * In an object that may be a page: the last string (up to 5 characters), and the key of the current member.
   */
  #text = "";
  #key = "";
  /** Parts of the value that arrived in earlier chunks. */
  #begun: Buffer[] = [];
  #begunBytes = 0;

  /** True if the input so far ends inside an array, a page or a value. */
  get isIncomplete(): boolean {
    return this.#isInValue || this.#within !== "file";
  }

  /** @returns the lines that end in this chunk. Overwrites line ends inside values of the chunk. */
  split(chunk: Buffer): Buffer {
    const lines: Buffer[] = [];
    let start = 0;
    const end = (index: number) => {
      if (!this.#isDropped) lines.push(...this.#begun, chunk.subarray(start, index), lineEnd);
      this.#isInValue = this.#isDropped = this.#mayBePage = false;
      this.#drop();
    };
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index] ?? 0;
      if (this.#isInString) {
        if (this.#passString(byte) && this.#depth === 0) end(index + 1);
        else if (byte === lineFeed || byte === carriageReturn) chunk[index] = tab;
      } else if (!this.#isInValue) {
        if (this.#begins(byte)) start = index;
      } else if (this.#depth === 0 && (isSpace(byte) || isPunctuation(byte))) {
        // This byte ends the number or literal before it.
        end(index);
        index -= 1;
      } else if (byte === openBracket && this.#mayBePage && this.#depth === 1 && this.#key === "data") {
        this.#within = "data";
        this.#isInValue = this.#mayBePage = false;
        this.#depth = 0;
        this.#drop();
      } else if (byte === lineFeed || byte === carriageReturn) {
        chunk[index] = space;
      } else if (this.#passPunctuation(byte)) {
        end(index + 1);
      }
    }
    if (this.#isInValue && !this.#isDropped) this.#keep(chunk.subarray(start));
    return Buffer.concat(lines);
  }

  /** @returns the last value if the file ended before a byte that ends the value, otherwise an empty buffer */
  finish(): Buffer {
    return this.#begunBytes > 0 ? Buffer.concat([...this.#begun, lineEnd]) : Buffer.alloc(0);
  }

  /** @returns true if a value begins with the byte */
  #begins(byte: number): boolean {
    if (isSpace(byte) || byte === comma) return false;
    if (byte === openBracket && this.#within === "file") {
      this.#within = "array";
      return false;
    }
    if (byte === closeBracket && this.#within !== "file") {
      this.#isInValue = this.#isDropped = this.#within === "data";
      this.#depth = this.#isDropped ? 1 : 0;
      this.#within = "file";
      return false;
    }
    this.#isInValue = true;
    this.#isInString = byte === quote;
    this.#mayBePage = byte === openBrace && this.#within === "file";
    this.#depth = byte === openBrace || byte === openBracket ? 1 : 0;
    this.#text = this.#key = "";
    return true;
  }

  /** @returns true if the string ends with the byte */
  #passString(byte: number): boolean {
    const isEnd = byte === quote && !this.#isEscaped;
    this.#isEscaped = byte === backslash && !this.#isEscaped;
    this.#isInString = !isEnd;
    if (this.#mayBePage && this.#depth === 1 && !isEnd && this.#text.length < 5) {
      this.#text += String.fromCharCode(byte);
    }
    return isEnd;
  }

  /** @returns true if the value ends with the byte */
  #passPunctuation(byte: number): boolean {
    if (byte === quote) {
      this.#isInString = true;
      this.#text = "";
    } else if (byte === openBrace || byte === openBracket) {
      this.#depth += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#depth -= 1;
      return this.#depth === 0;
    } else if (byte === colon && this.#depth === 1) {
      this.#key = this.#text;
    } else if (byte === comma && this.#depth === 1) {
      this.#key = "";
    }
    return false;
  }

  #keep(bytes: Buffer): void {
    // The rest is not needed, because a load rejects longer lines without parsing them.
    if (this.#begunBytes <= maxLineBytes) this.#begun.push(Buffer.from(bytes));
    this.#begunBytes += bytes.length;
  }

  #drop(): void {
    this.#begun = [];
    this.#begunBytes = 0;
  }
}

function isSpace(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;
}

function isPunctuation(byte: number): boolean {
  return (
    byte === comma ||
    byte === quote ||
    byte === openBrace ||
    byte === closeBrace ||
    byte === openBracket ||
    byte === closeBracket
  );
}
