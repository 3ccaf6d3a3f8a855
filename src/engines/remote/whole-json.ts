/** An integer that JSON.parse may round, where no text is: a text is matched as a whole before it. */
const textOrLongInteger = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Parses JSON whose integers of 16 digits and more come as texts, so that none is rounded. */
export function parseWholeJson(text: string): unknown {
  return JSON.parse(
    /\d{16}/.test(text)
      ? text.replace(textOrLongInteger, (found) => (found.startsWith('"') ? found : `"${found}"`))
      : text,
  );
}
