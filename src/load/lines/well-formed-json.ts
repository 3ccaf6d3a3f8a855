const escapes =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./g;

/** JSON may escape half a character, which nothing that stores UTF-8 can hold: it becomes U+FFFD. */
export function wellFormedJson(json: string): string {
  const isHalf = (text: string) => text.length === "\\ud800".length;
  return json.includes("\\u") ? json.replace(escapes, (text) => (isHalf(text) ? "\\ufffd" : text)) : json;
}
