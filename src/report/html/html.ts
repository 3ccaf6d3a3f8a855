import { escapeHtml, sanitizeText } from "../../util/text/escaping.ts";

/** Markup, which is inserted unchanged. All other values in a page are text, which is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | undefined | readonly Part[];

/** Template tag that escapes its values, joins lists and omits `undefined`. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  let text = strings[0] ?? "";
  values.forEach((value, index) => {
    text += toMarkup(value) + (strings[index + 1] ?? "");
  });
  return new Html(text);
}

function toMarkup(value: Part): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(toMarkup).join("");
  return escapeText(String(value));
}

/**
 * Escapes text for elements and attributes. Line breaks become spaces, characters that reverse or hide text
 * are removed, and a percent sign stays on the same line as its number.
 */
function escapeText(text: string): string {
  return escapeHtml(sanitizeText(text, " ")).replace(/(\d) %/g, "$1\u00a0%");
}
