import { Html, html } from "../html.ts";

type Attributes = Readonly<Record<string, string | number | undefined>>;

/**
 * An element of SVG, without style or script, so that a page may forbid both. Numbers are rounded to tenths of a pixel:
 * nobody sees more, and pages stay small.
 */
export function element(
  name: string,
  attributes: Attributes,
  ...content: readonly (string | Html | Html[])[]
): Html {
  const written = Object.entries(attributes).map(([key, value]) =>
    typeof value === "number"
      ? new Html(` ${key}="${tenths(value)}"`)
      : value === undefined
        ? undefined
        : html` ${new Html(key)}="${value}"`,
  );
  const tag = new Html(name);
  return html`<${tag}${written}>${content}</${tag}>`;
}

/** Text whose middle line lies at `y`. */
export function label(text: string, attributes: Attributes): Html {
  return element("text", { dy: ".35em", ...attributes }, text);
}

/**
 * Shapes that lead somewhere. Keyboards pass them: there may be a thousand, and the rows below the chart lead to the same.
 */
export function linked(href: string | undefined, shape: Html): Html {
  return href === undefined ? shape : element("a", { href, tabindex: -1 }, shape);
}

/** What a mark says when pointed at. */
export function title(text: string): Html {
  return html`<title>${text}</title>`;
}

/** For paths that are written out. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
