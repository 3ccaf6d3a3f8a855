/**
 * Returns each value of a JSON object as unparsed JSON, by key, or an error code if the text is not a JSON
 * object. If a key is repeated, its first value wins. Accepts the same extensions as DuckDB's reader (a comma
 * before a closing bracket, NaN and Infinity), so that both readers agree.
 */
export function readJsonObject(text: string): Map<string, string> | "invalid_json" | "not_an_object" {
  try {
    return new JsonScanner(text).readRoot() ?? "not_an_object";
  } catch (error) {
    if (error instanceof SyntaxError) return "invalid_json";
    throw error;
  }
}

const space = /[ \t\n\r]*/y;
// Matches whole runs of characters, because a line can consist of a single string of a million characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of these in a string
const string = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const word = /(?:true|false|null|-?[nN][aA][nN]|-?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)(?!\w)/y;

class JsonScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the members of the root object; `undefined` for another value. @throws {SyntaxError} */
  readRoot(): Map<string, string> | undefined {
    this.#take(space);
    const members = this.#text[this.#at] === "{" ? this.#readMembers() : this.#skipValue();
    this.#take(space);
    if (this.#at < this.#text.length) throw new SyntaxError("text after the value");
    return members;
  }

  #readMembers(): Map<string, string> {
    const members = new Map<string, string>();
    this.#at += 1;
    for (;;) {
      this.#take(space);
      if (this.#maybeEat("}")) return members;
      const key: string = JSON.parse(this.#need(string));
      this.#eatColon();
      const from = this.#at;
      this.#skipValue();
      if (!members.has(key)) members.set(key, this.#text.slice(from, this.#at));
      this.#take(space);
      if (!this.#maybeEat(",") && this.#text[this.#at] !== "}") throw new SyntaxError("no comma");
    }
  }

  /** Skips one value. Does not recurse, because a value can be nested to any depth. */
  #skipValue(): undefined {
    const closings: ("}" | "]")[] = [];
    do {
      this.#take(space);
      const closing = closings.at(-1);
      if (closing && this.#maybeEat(closing)) {
        closings.pop();
      } else {
        if (closing === "}") {
          this.#need(string);
          this.#eatColon();
        }
        if (this.#maybeEat("{")) {
          closings.push("}");
          continue;
        }
        if (this.#maybeEat("[")) {
          closings.push("]");
          continue;
        }
        this.#skipScalar();
      }
      const outer = closings.at(-1);
      if (!outer) return;
      this.#take(space);
      if (!this.#maybeEat(",") && this.#text[this.#at] !== outer) throw new SyntaxError("no comma");
    } while (closings.length > 0);
  }

  #skipScalar(): void {
    if (this.#text[this.#at] === '"') this.#need(string);
    else if (!this.#take(word)) this.#need(number);
  }

  #eatColon(): void {
    this.#take(space);
    if (!this.#maybeEat(":")) throw new SyntaxError("no colon");
    this.#take(space);
  }

  #maybeEat(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #need(token: RegExp): string {
    const text = this.#take(token);
    if (!text) throw new SyntaxError("not JSON");
    return text;
  }

  #take(token: RegExp): string {
    token.lastIndex = this.#at;
    const text = token.exec(this.#text)?.[0] ?? "";
    this.#at += text.length;
    return text;
  }
}

const escapes =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./g;

/** Replaces escaped lone surrogates, which UTF-8 cannot represent, with U+FFFD. */
export function wellFormedJson(json: string): string {
  const isHalf = (text: string) => text.length === "\\ud800".length;
  return json.includes("\\u") ? json.replace(escapes, (text) => (isHalf(text) ? "\\ufffd" : text)) : json;
}
