/** Matches a placeholder. In URLs, the braces of paths are percent-encoded. */
const placeholder = /(?:\{|%7B)([a-z_]+)(?:\}|%7D)/gi;

/** Lists the names of placeholders such as `{status}`, in lower case. */
export function listPlaceholders(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = ""]) => name.toLowerCase());
}

/** Replaces each placeholder that has a value. */
export function fillPlaceholders(
  text: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string) => string,
): string {
  return text.replace(placeholder, (all: string, name: string) => {
    const key = name.toLowerCase();
    return Object.hasOwn(values, key) ? encode(values[key] ?? "") : all;
  });
}
