/** A word of a command that people are to copy, as a shell takes it. */
export function shellText(text: string): string {
  return /^[\w,.:@%+/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
