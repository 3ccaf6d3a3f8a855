/**
 * Text without what would move a cursor, colour a terminal or reverse what follows it. A byte order mark, which nobody sees, is
 * shown: a line that begins with one looks as it should, but is no JSON.
 * @param lineBreak stands for each line break
 */
export function harmlessText(text: string, lineBreak: string): string {
  return text
    .replace(/\r\n|[\r\n\u2028\u2029]/g, lineBreak)
    .replaceAll("\t", " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\p{Cc}\ufeff]/gu, "\ufffd");
}

/** The same of what is written line by line: its line feeds stay. */
export function harmlessLines(text: string): string {
  return text
    .split("\n")
    .map((line) => harmlessText(line, "↵"))
    .join("\n");
}
