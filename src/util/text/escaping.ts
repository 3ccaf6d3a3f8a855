const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For elements and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

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

/** A word of a command that people are to copy, as a shell takes it. */
export function shellText(text: string): string {
  return /^[\w,.:@%+/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
