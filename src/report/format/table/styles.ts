import type { FormatOptions } from "../formatter.ts";

/** How a terminal sets text apart; no difference where no colour is wanted. */
export interface Styles {
  bold(text: string): string;
  dim(text: string): string;
}

export function stylesFor({ useColour = false }: FormatOptions): Styles {
  const wrap = (code: number) => (text: string) => (useColour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: wrap(1), dim: wrap(2) };
}
