/** A list entry of a header: `name   text`. */
export interface HeaderEntry {
  name: string;
  text: string;
}

/** Parts of the comment at the start of a SQL file. */
export interface HeaderParts {
  /** Text before all fields. */
  summary: string;
  /** Texts of `Word: text`, keyed by word. */
  fields: ReadonlyMap<string, string>;
  /** Entries below `Word:`, keyed by word. */
  lists: ReadonlyMap<string, readonly HeaderEntry[]>;
}

/** @param words accepted fields and lists. @throws {SyntaxError} quoting an invalid line of a list */
export function parseHeaderParts(name: string, sql: string, words: readonly string[]): HeaderParts {
  const fields = new Map<string, string>();
  const lists = new Map<string, HeaderEntry[]>();
  const begin = new RegExp(`^ (${words.join("|")}):(?: (.*))?$`);
  let word = "";
  for (const line of commentLines(sql)) {
    const match = begin.exec(line);
    const list = lists.get(word);
    if (match?.[1]) {
      word = match[1];
      if (match[2] === undefined) lists.set(word, []);
      else fields.set(word, match[2].trim());
    } else if (list) addLine(name, list, line);
    else fields.set(word, `${fields.get(word) ?? ""} ${line.trim()}`.trim());
  }
  return { summary: fields.get("") ?? "", fields, lists };
}

/** Splits a string at its commas. */
export function wordsOf(text = ""): string[] {
  return text.split(",").flatMap((word) => word.trim() || []);
}

/** Returns the names in a header's `Reads:`. */
export function parseReadsField(text: string | undefined): string[] {
  return wordsOf(text).filter((word) => word !== "nothing");
}

/** @returns tables as `schema.table`. @throws {SyntaxError} when the header lacks `Reads:` */
export function listReads(name: string, sql: string): string[] {
  const reads = parseHeaderParts(name, sql, ["Reads"]).fields.get("Reads");
  if (reads === undefined) throw new SyntaxError(`${name}: the header lacks "Reads:"`);
  return parseReadsField(reads);
}

export function withoutHeader(sql: string): string {
  return sql.replace(/^(?:--.*\n)+\n/, "");
}

function commentLines(sql: string): string[] {
  const lines = sql.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("--"));
  return lines.slice(0, end < 0 ? undefined : end).map((line) => line.slice(2));
}

/** Parses `   name   text`, or a continuation line, which is indented deeper. */
function addLine(name: string, entries: HeaderEntry[], line: string): void {
  const [, entry, text] = /^ {3}(\w+) {2,}(\S.*)$/.exec(line) ?? [];
  const last = entries.at(-1);
  if (entry && text) entries.push({ name: entry, text });
  else if (last && /^ {4,}\S/.test(line)) last.text += ` ${line.trim()}`;
  else throw new SyntaxError(`${name}: this line of the header describes no column: ${line}`);
}
