const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML elements and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Removes characters that would move a cursor, colour a terminal or reverse text. Makes a byte order mark
 * visible, because a line that begins with one looks like JSON but is not.
 * @param lineBreak replaces each line break
 */
export function sanitizeText(text: string, lineBreak: string): string {
  return text
    .replace(/\r\n|[\r\n\u2028\u2029]/g, lineBreak)
    .replaceAll("\t", " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\p{Cc}\ufeff]/gu, "\ufffd");
}

/** Sanitizes each line like `sanitizeText`, keeping line feeds. */
export function sanitizeLines(text: string): string {
  return text
    .split("\n")
    .map((line) => sanitizeText(line, "↵"))
    .join("\n");
}

/** Quotes a word of a command for copying into a shell. */
export function quoteForShell(text: string): string {
  return /^[\w,.:@%+/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
