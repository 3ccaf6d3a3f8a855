/** What a cell of Excel holds at most, in UTF-16 units. */
const longestText = 32_767;

/** Characters that XML 1.0 has no way to write, and the carriage return, which it reads as a line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
/** What looks like such a character, or does once the one behind it is written so. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const lookAlike = /_(?=x[0-9A-Fa-f]{4}[_\u0000-\u0008\u000b-\u001f])/g;

/**
 * A text as content of an XML element that Excel reads. It writes such characters as `_x000D_`, so a text that looks
 * like that is written otherwise. Longer texts than a cell holds are cut short, between two characters.
 */
export function escapeXml(text: string): string {
  const shown =
    text.length > longestText ? `${text.slice(0, longestText - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
  return shown
    .replace(lookAlike, "_x005F_")
    .replace(unwritable, (character) => {
      const code = character.charCodeAt(0);
      return code < 32 ? `_x${code.toString(16).toUpperCase().padStart(4, "0")}_` : "\ufffd";
    })
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
