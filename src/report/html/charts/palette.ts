/** A colour of charts: as it is on a light page, and on a dark one. */
export interface Colour {
  light: string;
  dark: string;
}

/**
 * Told apart with any kind of colour blindness (after Okabe and Ito), and each at least 3:1 against the page. Every
 * light value is unique: a page in dark mode finds them by it.
 */
export const palette = {
  blue: { light: "#0072b2", dark: "#56b4e9" },
  orange: { light: "#d55e00", dark: "#f28e4b" },
  green: { light: "#00795a", dark: "#34c79c" },
  amber: { light: "#b07800", dark: "#f0c24b" },
  purple: { light: "#9c4f7e", dark: "#dda0c4" },
  grey: { light: "#8a94a0", dark: "#77828f" },
  /** Areas under text. */
  paleBlue: { light: "#d3e7f4", dark: "#17384d" },
  paleAmber: { light: "#fbe6b8", dark: "#5a4410" },
  strongOrange: { light: "#b34a00", dark: "#f39a5c" },
  paleGrey: { light: "#e9ecef", dark: "#2b323a" },
  ink: { light: "#1b2229", dark: "#e9edf1" },
  /** On `strongOrange`. */
  inverse: { light: "#fefefe", dark: "#14181c" },
  muted: { light: "#55606c", dark: "#a9b4bf" },
  line: { light: "#d4dae0", dark: "#3a444e" },
  paper: { light: "#ffffff", dark: "#15191e" },
} as const satisfies Record<string, Colour>;

/** The rules that give drawn charts their colours in dark mode: charts name the light ones. */
export function darkRules(): string {
  return Object.values(palette)
    .flatMap(({ light, dark }) => [
      `svg [fill="${light}"]{fill:${dark}}`,
      `svg [stroke="${light}"]{stroke:${dark}}`,
    ])
    .join("");
}
