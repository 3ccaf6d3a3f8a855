/** A text, a comment, or a name with all that qualifies it. */
const tokens =
  /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|(?<![\w$"]|\.\s*)(?<name>(?:"(?:[^"]|"")*"|[A-Za-z_]\w*)(?:\s*\.\s*(?:"(?:[^"]|"")*"|[A-Za-z_]\w*))*)|"(?:[^"]|"")*"/g;
const part = /"(?:[^"]|"")*"|\w+/g;

/**
 * SQL with some of its names replaced; texts and comments stay as they are.
 * @param replace is given a name's parts, without quotes, lower case where they had none, and how it is written
 */
export function replaceNames(
  sql: string,
  replace: (parts: readonly string[], written: string) => string,
): string {
  return sql.replace(tokens, (found: string, ...rest: unknown[]) => {
    const { name } = rest.at(-1) as { name?: string };
    if (name === undefined) return found;
    return replace(
      Array.from(name.matchAll(part), ([text]) => plainName(text)),
      name,
    );
  });
}

function plainName(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written.toLowerCase();
}
