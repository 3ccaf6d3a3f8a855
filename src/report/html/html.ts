import { escapeHtml, harmlessText } from "../../util/text/escaping.ts";

/** Markup. Everything else that is put into a page is text, and escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | undefined | readonly Part[];

/** A template whose values are escaped, whatever they hold; lists are joined, `undefined` is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  let text = strings[0] ?? "";
  values.forEach((value, index) => {
    text += markupOf(value) + (strings[index + 1] ?? "");
  });
  return new Html(text);
}

function markupOf(value: Part): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(markupOf).join("");
  return escapeText(String(value));
}

/**
 * For elements and attributes. Line breaks become blanks; what reverses or hides text is taken out; a percent sign
 * stays on the line of its number.
 */
function escapeText(text: string): string {
  return escapeHtml(harmlessText(text, " ")).replace(/(\d) %/g, "$1\u00a0%");
}
