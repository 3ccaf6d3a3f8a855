/**
 * Text without what would move a cursor, colour a terminal or reverse what follows it.
 * @param lineBreak stands for each line break
 */
export function harmlessText(text: string, lineBreak: string): string {
  return text
    .replace(/\r\n|[\r\n\u2028\u2029]/g, lineBreak)
    .replaceAll("\t", " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/\p{Cc}/gu, "\ufffd");
}

/** The same of what is written line by line: its line feeds stay. */
export function harmlessLines(text: string): string {
  return text
    .split("\n")
    .map((line) => harmlessText(line, "↵"))
    .join("\n");
}
